import { parentPort } from 'node:worker_threads';
import { type Card, drawCard } from './card.ts';
import { toPng } from './png.ts';

/** Drawing takes some 50 ms of processor time: it has a thread of its own (drawings.ts). */
parentPort?.on('message', async (card: Card) => {
  parentPort?.postMessage(await toPng(drawCard(card)));
});
