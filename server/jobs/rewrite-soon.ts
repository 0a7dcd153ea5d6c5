import type { Db } from '#server/db/open.ts';
import type { JobQueue } from './queue.ts';

/**
 * What one transaction wrote in several tables tells until the rewrite that follows it. Whoever asks
 * last within the five minutes still has five to commit before it begins.
 */
const REWRITE = { startAfterSeconds: 600, oncePerSeconds: 300 };

/** Once for all who need it within some minutes: it rewrites every table. */
export const rewriteSoon = ({ jobs }: { jobs: Pick<JobQueue, 'enqueue'> }, trx: Db) =>
  jobs.enqueue(trx, 'rewrite', {}, REWRITE);
