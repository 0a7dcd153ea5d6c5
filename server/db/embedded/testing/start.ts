import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { startEmbedded } from '../launch.ts';

// A separate process that uses the data folder given as its argument until its input ends. Prints
// the result as one line of JSON.
const [dataDir = ''] = process.argv.slice(2);
try {
  const { connection, adopted, stop } = await startEmbedded({ dataDir });
  writeSync(1, `${JSON.stringify({ connection, adopted })}\n`);
  await text(process.stdin);
  await stop();
} catch (error) {
  writeSync(1, `${JSON.stringify({ error: String(error) })}\n`);
}
