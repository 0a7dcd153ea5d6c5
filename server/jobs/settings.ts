import type { QueueOptions } from 'pg-boss';
import type { JobName } from './payloads.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface JobSettings {
  /** Retries, their pauses, and how long a job may take. In seconds. */
  readonly queue: QueueOptions;
  /** Jobs that one server does at the same time. */
  readonly atOnce: number;
  /** When it is due of itself (cron, UTC). */
  readonly schedule?: string;
}

/**
 * A pause grows from `retryDelay` to twice that, then doubles up to `retryDelayMax`. What is given
 * up goes with the next maintenance if its server died before deleting it (`deleteAfterSeconds`).
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
  // Four tries over some two minutes. The code is good for ten, and the address is stored nowhere else.
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
  // Finds out, apart from the request, whether there is anyone to send a link to.
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
  // Tried again with the next minute's.
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
  // Tried again with the next minute's.
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
  // Nightly by the clock of most of its readers (UTC 9:43 is between 1 and 5 at night there).
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
  // Which position titles are suggested. Half an hour before the rewrite, so that they do not meet.
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
