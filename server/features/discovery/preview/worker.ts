import { parentPort } from 'node:worker_threads';
import { type Card, drawCard } from './card.ts';
import { toPng } from './png.ts';

/** Drawing takes about 50 ms of processor time, so it has its own thread (drawings.ts). */
parentPort?.on('message', async (card: Card) => {
  parentPort?.postMessage(await toPng(drawCard(card)));
});
