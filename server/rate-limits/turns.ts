import fastq, { type queueAsPromised } from 'fastq';

/** Limits concurrency per key to `atOnce`. Further work waits in order of arrival. */
export function takeTurns(atOnce = 1) {
  const queues = new Map<string, queueAsPromised<() => Promise<unknown>>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? fastq.promise((job: () => Promise<unknown>) => job(), atOnce);
    queues.set(key, queue);
    try {
      return (await queue.push(work)) as T;
    } finally {
      if (queue.idle()) queues.delete(key);
    }
  };
}
