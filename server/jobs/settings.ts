import type { QueueOptions } from 'pg-boss';
import type { JobName } from './payloads.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface JobSettings {
  /** Retries, their delays, and how long a job may take, in seconds. */
  readonly queue: QueueOptions;
  /** Concurrent jobs per server. */
  readonly atOnce: number;
  /** When it runs by schedule (cron, UTC). */
  readonly schedule?: string;
}

/**
 * The first delay is between `retryDelay` and twice that; later ones double up to `retryDelayMax`.
 * If a server dies before it deletes a failed job, maintenance deletes it (`deleteAfterSeconds`).
 */
export const JOB_SETTINGS: Readonly<Record<JobName, JobSettings>> = {
  // Eleven tries over some three hours.
  'send-mail': {
    queue: {
      retryLimit: 10,
      retryDelay: 10,
      retryBackoff: true,
      retryDelayMax: HOUR,
      expireInSeconds: 2 * MINUTE,
      retentionSeconds: 2 * DAY,
      deleteAfterSeconds: 1,
    },
    atOnce: 4,
  },
  // Four tries over some two minutes. The code expires after ten.
  'mailbox-code': {
    queue: {
      retryLimit: 3,
      retryDelay: 10,
      retryBackoff: true,
      retryDelayMax: MINUTE,
      expireInSeconds: MINUTE,
      retentionSeconds: 10 * MINUTE,
      deleteAfterSeconds: 1,
    },
    atOnce: 2,
  },
  // The registry may be down for days: after nine tries, one an hour for five days.
  'verify-npi': {
    queue: {
      retryLimit: 128,
      retryDelay: 10,
      retryBackoff: true,
      retryDelayMax: HOUR,
      expireInSeconds: MINUTE,
      retentionSeconds: 14 * DAY,
      deleteAfterSeconds: 1,
    },
    atOnce: 2,
  },
  // Looks up, outside the request, whether there is an account to send a link to.
  'password-reset': {
    queue: {
      retryLimit: 10,
      retryDelay: 10,
      retryBackoff: true,
      retryDelayMax: HOUR,
      expireInSeconds: MINUTE,
      retentionSeconds: DAY,
      deleteAfterSeconds: 1,
    },
    atOnce: 2,
  },
  // Retried with the next minute's job.
  'reviews-due': {
    queue: {
      retryLimit: 0,
      expireInSeconds: 10 * MINUTE,
      retentionSeconds: 10 * MINUTE,
      deleteAfterSeconds: 1,
    },
    atOnce: 1,
    schedule: '* * * * *',
  },
  // Retried with the next minute's job.
  'hold-disputed-reviews': {
    queue: {
      retryLimit: 0,
      expireInSeconds: 10 * MINUTE,
      retentionSeconds: 10 * MINUTE,
      deleteAfterSeconds: 1,
    },
    atOnce: 1,
    schedule: '* * * * *',
  },
  retention: {
    queue: {
      retryLimit: 2,
      retryDelay: MINUTE,
      retryBackoff: true,
      retryDelayMax: HOUR,
      expireInSeconds: HOUR,
      retentionSeconds: HOUR,
      deleteAfterSeconds: 1,
    },
    atOnce: 1,
    schedule: '17 * * * *',
  },
  // At night for most users: 9:43 UTC is between 1 and 5 a.m. in the US.
  rewrite: {
    queue: {
      retryLimit: 3,
      retryDelay: 10 * MINUTE,
      retryBackoff: true,
      retryDelayMax: HOUR,
      expireInSeconds: 2 * HOUR,
      retentionSeconds: 12 * HOUR,
      deleteAfterSeconds: 1,
    },
    atOnce: 1,
    schedule: '43 9 * * *',
  },
  // Updates the suggested position titles. Half an hour earlier, to not overlap with the rewrite.
  'refresh-titles': {
    queue: {
      retryLimit: 3,
      retryDelay: 10 * MINUTE,
      retryBackoff: true,
      retryDelayMax: HOUR,
      expireInSeconds: HOUR,
      retentionSeconds: 12 * HOUR,
      deleteAfterSeconds: 1,
    },
    atOnce: 1,
    schedule: '13 9 * * *',
  },
};

export const JOB_NAMES = Object.keys(JOB_SETTINGS) as JobName[];
