import type pg from 'pg';
import type { Section } from './archive.ts';
import { copyIn, sectionOf } from './tables.ts';

/**
 * Waiting jobs that a backup keeps. Jobs may run more than once, so repeating one does no harm.
 * Codes for mailboxes are not kept, so neither are their jobs. The server reschedules all others.
 */
const KEPT = ['password-reset', 'saved-news', 'send-mail', 'verify-npi'];

export const JOBS = 'pgboss.job';
const COLUMNS = ['name', 'data', 'keep_until'];

/** Payloads stay sealed. The only time kept is the day on which a job expires. */
export async function waitingJobs(client: pg.ClientBase): Promise<Section[]> {
  const { rows } = await client.query("select to_regclass('pgboss.job') is not null as exists");
  if (!rows[0]?.exists) return [];
  const copy = `copy (
    select name, data, date_trunc('day', keep_until, 'UTC') + interval '1 day' from pgboss.job
    where name in (${KEPT.map((name) => `'${name}'`).join(', ')}) and data is not null
      and state in ('created', 'retry', 'active')
    order by id) to stdout`;
  return [sectionOf(client, JOBS, COLUMNS, copy)];
}

/** Enqueues the backup's jobs that have not expired, with the settings of their queues. */
export async function restoreJobs(client: pg.ClientBase, { rows }: Section): Promise<number> {
  await client.query(
    'create temp table kept_jobs (name text, data jsonb, keep_until timestamptz) on commit drop',
  );
  const count = await copyIn(client, 'copy kept_jobs from stdin', rows);
  await client.query(
    `insert into pgboss.job (name, data, keep_until, expire_seconds, deletion_seconds, retry_limit,
        retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
      select name, data, keep_until, expire_seconds, deletion_seconds, retry_limit,
        retry_delay, coalesce(retry_backoff, false), retry_delay_max, policy, dead_letter,
        heartbeat_seconds
      from kept_jobs join pgboss.queue using (name)
      where name = any($1) and keep_until > now() order by gen_random_uuid()`,
    [KEPT],
  );
  return count;
}
