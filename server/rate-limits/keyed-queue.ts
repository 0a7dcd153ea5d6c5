import fastq, { type queueAsPromised } from 'fastq';

/** Runs jobs of the same key at most `atOnce` at a time, in the order in which they came. */
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
