import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { startEmbedded } from '../launch.ts';

// A process of its own that uses the data folder named by its argument until its input ends. It
// says in one line of JSON how it went.
const [dataDir = ''] = process.argv.slice(2);
try {
  const { connection, adopted, stop } = await startEmbedded({ dataDir });
  writeSync(1, `${JSON.stringify({ connection, adopted })}\n`);
  await text(process.stdin);
  await stop();
} catch (error) {
  writeSync(1, `${JSON.stringify({ error: String(error) })}\n`);
}
