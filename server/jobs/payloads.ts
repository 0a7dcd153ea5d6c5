import type { MailJob } from '#server/mail/render.ts';

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
