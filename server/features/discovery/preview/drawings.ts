import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fastq from 'fastq';
import { LRUCache } from 'lru-cache';
import { unavailable } from '#server/app-error.ts';
import type { Card } from './card.ts';

/** About 600 images of 25 kB. */
const KEPT_BYTES = 16 * 1024 * 1024;
const WAITING = 30;

/**
 * Draws preview images, one at a time, on a thread that starts with the first one. An image depends
 * only on its card, so it stays cached however often other reviews change.
 */
export function drawings(mostWaiting = WAITING) {
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (image, key) => image.length + 2 * key.length,
  });
  let thread: ReturnType<typeof startThread> | undefined;

  async function draw(card: Card): Promise<Buffer> {
    thread ??= startThread();
    const { worker, ended } = thread;
    const drawing = once(worker, 'message', { signal: ended });
    worker.postMessage(card);
    try {
      const [png] = await drawing;
      return Buffer.from(png);
    } catch (error) {
      // The next image starts another thread.
      thread = undefined;
      throw error;
    }
  }
  const queue = fastq.promise(draw, 1);

  return {
    /** Throws `unavailable` if too many images are waiting. */
    async imageOf(card: Card): Promise<Buffer> {
      const key = JSON.stringify(card);
      const known = kept.get(key);
      if (known) return known;
      if (queue.length() >= mostWaiting) throw unavailable();
      const image = await queue.push(card);
      kept.set(key, image);
      return image;
    },
    async close(): Promise<void> {
      await thread?.worker.terminate();
    },
  };
}

/** The signal aborts when the thread ends: `once` alone would wait forever. */
function startThread(): { worker: Worker; ended: AbortSignal } {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  // It does not keep the process alive.
  worker.unref();
  const ended = new AbortController();
  worker.once('exit', () => ended.abort());
  return { worker, ended: ended.signal };
}
