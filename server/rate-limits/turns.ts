import fastq, { type queueAsPromised } from 'fastq';

/** Runs work in turns for each key: so many at once, and the others in the order in which they came. */
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
