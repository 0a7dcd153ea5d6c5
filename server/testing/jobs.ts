import type pg from 'pg';
import type { JobLog } from '#server/jobs/queue.ts';
import { JOB_NAMES, type JobHandlers, type JobPayloads } from '#server/jobs/settings.ts';

const idle = async () => {};

/** The handlers of the features' own jobs, which do nothing. */
export const idleFeatures = {
  'weekly-mail': idle,
  'staff-digest': idle,
  'verify-npi': idle,
  'password-reset': idle,
  'reviews-due': idle,
  'hold-disputed-reviews': idle,
  retention: idle,
  rewrite: idle,
  'refresh-titles': idle,
};

export const idleHandlers: JobHandlers = {
  ...idleFeatures,
  'send-mail': idle,
  'mailbox-code': idle,
  'saved-news': idle,
};

export const SIGNUP_MAIL = {
  to: 'canary.recipient@hospital.example',
  template: 'signup-code',
  props: { code: '731864-902517', minutes: 10 },
} satisfies JobPayloads['send-mail'];

/** Makes every delayed job due now, and wakes the workers. */
export async function hurry(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update pgboss.job set start_after = now()
     where name = any ($1) and state in ('created', 'retry')`,
    [JOB_NAMES],
  );
  await pool.query(
    `select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name)
     from unnest($1::text[]) as name`,
    [JOB_NAMES],
  );
}

/**
 * How many seconds a failed job waits for its retry. It failed between its start and now, so the
 * delay is at least `left` and at most `inAll`.
 */
export function pauseOf({ started_on, start_after }: { started_on: Date; start_after: Date }) {
  const until = start_after.getTime() / 1000;
  return { left: until - Date.now() / 1000, inAll: until - started_on.getTime() / 1000 };
}

/** A log that collects its lines as text. */
export function logToLines(): { log: JobLog; lines: string[] } {
  const lines: string[] = [];
  const write = (...line: unknown[]) => {
    lines.push(JSON.stringify(line));
  };
  return { log: { warn: write, error: write }, lines };
}
