import type { QueueOptions } from 'pg-boss';
import type { MailJob } from '#server/mail/templates.ts';

/** Payloads by kind of job. They are sealed while they wait. */
export interface JobPayloads {
  'send-mail': MailJob;
  /** A code for an institution's mailbox. The address is not stored anywhere else. */
  'mailbox-code': {
    readonly userId: string;
    readonly to: string;
    readonly code: string;
    readonly minutes: number;
  };
  'verify-npi': { readonly userId: string };
  'password-reset': { readonly email: string };
  /** News from an account's saved list, sealed like the list itself. */
  'saved-news': { readonly userId: string; readonly sealed: string };
  /** Runs every minute. Acts only on the days of the weekly mail. */
  'weekly-mail': Readonly<Record<string, never>>;
  'staff-digest': Readonly<Record<string, never>>;
  'reviews-due': Readonly<Record<string, never>>;
  retention: Readonly<Record<string, never>>;
  rewrite: Readonly<Record<string, never>>;
  'refresh-titles': Readonly<Record<string, never>>;
}

export type JobName = keyof JobPayloads;

/** A job with its opened payload. */
export type Job = {
  [N in JobName]: { readonly name: N; readonly payload: JobPayloads[N] };
}[JobName];

/** Runs one job. If it throws, it is retried later. It may run twice, so it must be idempotent. */
export type JobHandler<N extends JobName> = (payload: JobPayloads[N]) => Promise<void>;

export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

/** How a job attempt ended. A failed one is retried. */
export type JobOutcome = 'done' | 'failed' | 'given_up';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface JobSettings {
  /** Retries, their delays, and how long a job may take, in seconds. */
  readonly queue: QueueOptions;
  /** Concurrent jobs per server. */
  readonly atOnce: number;
  /** Its schedule (cron, UTC). */
  readonly schedule?: string;
}

/** Failed jobs are deleted immediately. This is for a server that dies before it deletes one. */
const COMMON = { deleteAfterSeconds: 1 };
/** The first delay is between `retryDelay` and twice that; later ones double up to the maximum. */
const RETRIES = { ...COMMON, retryDelay: 10, retryBackoff: true, retryDelayMax: HOUR };

/** Not retried: the next minute's job does the same. */
const EVERY_MINUTE: JobSettings = {
  queue: { ...COMMON, retryLimit: 0, expireInSeconds: 10 * MINUTE, retentionSeconds: 10 * MINUTE },
  atOnce: 1,
  schedule: '* * * * *',
};

const EVERY_NIGHT = {
  ...RETRIES,
  retryLimit: 3,
  retryDelay: 10 * MINUTE,
  retentionSeconds: 12 * HOUR,
};

export const JOB_SETTINGS: Readonly<Record<JobName, JobSettings>> = {
  // Eleven attempts over about three hours.
  'send-mail': {
    queue: { ...RETRIES, retryLimit: 10, expireInSeconds: 2 * MINUTE, retentionSeconds: 2 * DAY },
    atOnce: 4,
  },
  // Four attempts over about two minutes. The code expires after ten.
  'mailbox-code': {
    queue: {
      ...RETRIES,
      retryLimit: 3,
      retryDelayMax: MINUTE,
      expireInSeconds: MINUTE,
      retentionSeconds: 10 * MINUTE,
    },
    atOnce: 2,
  },
  // The registry may be down for days: after nine attempts, one an hour for five days.
  'verify-npi': {
    queue: { ...RETRIES, retryLimit: 128, expireInSeconds: MINUTE, retentionSeconds: 14 * DAY },
    atOnce: 2,
  },
  // Looks up, outside the request, whether there is an account to send a link to.
  'password-reset': {
    queue: { ...RETRIES, retryLimit: 10, expireInSeconds: MINUTE, retentionSeconds: DAY },
    atOnce: 2,
  },
  // Like `send-mail`.
  'saved-news': {
    queue: { ...RETRIES, retryLimit: 10, expireInSeconds: 2 * MINUTE, retentionSeconds: 2 * DAY },
    atOnce: 4,
  },
  'weekly-mail': EVERY_MINUTE,
  'reviews-due': EVERY_MINUTE,
  retention: {
    queue: {
      ...RETRIES,
      retryLimit: 2,
      retryDelay: MINUTE,
      expireInSeconds: HOUR,
      retentionSeconds: HOUR,
    },
    atOnce: 1,
    schedule: '17 * * * *',
  },
  // At night for most users: 9:43 UTC is between 1 and 5 a.m. in the US.
  rewrite: {
    queue: { ...EVERY_NIGHT, expireInSeconds: 2 * HOUR },
    atOnce: 1,
    schedule: '43 9 * * *',
  },
  // After the rewrite, before work. Retried for as long as the day's mail is of use.
  'staff-digest': {
    queue: { ...EVERY_NIGHT, expireInSeconds: 10 * MINUTE },
    atOnce: 1,
    schedule: '0 12 * * *',
  },
  // Updates the suggested position titles. Half an hour earlier, to not overlap with the rewrite.
  'refresh-titles': {
    queue: { ...EVERY_NIGHT, expireInSeconds: HOUR },
    atOnce: 1,
    schedule: '13 9 * * *',
  },
};

export const JOB_NAMES = Object.keys(JOB_SETTINGS) as JobName[];
