import type { MailJob } from '#server/mail/render.ts';

/** Every kind of background work, and what it is told. Payloads are sealed while they wait. */
export interface JobPayloads {
  'send-mail': MailJob;
  /** A code for an institution's mailbox, whose address nothing else has. */
  'mailbox-code': {
    readonly userId: string;
    readonly to: string;
    readonly code: string;
    readonly minutes: number;
  };
  'verify-npi': { readonly userId: string };
  'password-reset': { readonly email: string };
  'reviews-due': Readonly<Record<string, never>>;
  'hold-disputed-reviews': Readonly<Record<string, never>>;
  retention: Readonly<Record<string, never>>;
  rewrite: Readonly<Record<string, never>>;
  'refresh-titles': Readonly<Record<string, never>>;
}

export type JobName = keyof JobPayloads;

/** A job as its payload tells it. */
export type Job = {
  [N in JobName]: { readonly name: N; readonly payload: JobPayloads[N] };
}[JobName];

/** Does one job. Throwing means: try again later. It may run twice, and so must bear that. */
export type JobHandler<N extends JobName> = (payload: JobPayloads[N]) => Promise<void>;

export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };
