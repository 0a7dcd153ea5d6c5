import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Keys } from '#server/anonymity/keys.ts';
import { errorWithoutText } from '#server/anonymity/redaction.ts';
import { unseal } from '#server/anonymity/seal.ts';
import type { JobLog } from './boss.ts';
import type { JobHandlers, JobName, JobOutcome, JobPayloads } from './payloads.ts';
import { JOB_SETTINGS } from './settings.ts';

/** A payload in the job table. Scheduled jobs have none. */
export type SealedPayload = { readonly sealed: string };

interface Work<N extends JobName> {
  readonly name: N;
  readonly handlers: JobHandlers;
  readonly keys: Pick<Keys, 'sealing'>;
  readonly log: JobLog;
  readonly onEnd: (name: JobName, outcome: JobOutcome) => void;
}

const OPTIONS = {
  includeMetadata: true,
  pollingIntervalSeconds: 0.5,
  // Retries come due without a notification, and a broken connection may go unnoticed for a while.
  notifyPollingIntervalSeconds: 3,
} as const;

/** Processes jobs of one kind: when notified, and every few seconds. */
export async function work<N extends JobName>(boss: PgBoss, kind: Work<N>): Promise<void> {
  const { name } = kind;
  for (let worker = 0; worker < JOB_SETTINGS[name].atOnce; worker += 1) {
    const id = await boss.work<SealedPayload | null, void, typeof OPTIONS>(
      name,
      OPTIONS,
      async ([job]) => {
        try {
          if (job) await run(boss, kind, job);
        } finally {
          // The next job starts at once instead of at the next notification or poll.
          boss.notifyWorker(id);
        }
      },
    );
  }
}

async function run<N extends JobName>(
  boss: PgBoss,
  { name, handlers, keys, log, onEnd }: Work<N>,
  job: JobWithMetadata<SealedPayload | null>,
) {
  try {
    await handlers[name](open<N>(keys, job.data));
    onEnd(name, 'done');
  } catch (error) {
    const isLast = job.retryCount >= job.retryLimit;
    const about = { job: name, attempt: job.retryCount + 1, error: errorWithoutText(error) };
    onEnd(name, isLast ? 'given_up' : 'failed');
    if (isLast) log.error(about, 'job given up');
    else log.warn(about, 'job failed, will be retried');
    // pg-boss stores the error, so it must not contain anything from the payload.
    if (!isLast) throw new Error('failed');
  }
  // Finished and failed jobs are deleted immediately. pg-boss then has nothing to mark as
  // completed.
  await boss.deleteJob(name, job);
}

function open<N extends JobName>(
  keys: Pick<Keys, 'sealing'>,
  data: SealedPayload | null,
): JobPayloads[N] {
  if (data === null) return {} as JobPayloads[N];
  return unseal(keys.sealing, 'job', Buffer.from(data.sealed, 'base64'));
}
