import fastq, { type queueAsPromised } from 'fastq';

/** Runs at most `atOnce` jobs of the same key at a time, in order of arrival. */
export function keyedQueue(atOnce = 1) {
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
