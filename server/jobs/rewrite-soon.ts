import type { Db } from '#server/db/open.ts';
import type { JobQueue } from './queue.ts';

/**
 * Rows in different tables written by one transaction stay linked until the next rewrite. A request
 * at the end of the five-minute interval still has five minutes to commit before it starts.
 */
const REWRITE = { startAfterSeconds: 600, oncePerSeconds: 300 };

/** Shared by all requests within a few minutes, because it rewrites every table. */
export const rewriteSoon = ({ jobs }: { jobs: Pick<JobQueue, 'enqueue'> }, trx: Db) =>
  jobs.enqueue(trx, 'rewrite', {}, REWRITE);
