/** Sends cheap requests and records the time of each answer: `hostile-probe.ts URL SECONDS`. */
import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 10;
const [url = '', seconds = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function timeOf(path: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(url + path, { agent, headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      buffer(response).then(() => {
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
        else resolve(performance.now() - started);
      }, reject);
    }).on('error', reject);
  });
}

const times: Record<string, number[]> = { '/healthz': [], '/reviews': [] };
let refused = 0;
const until = performance.now() + Number(seconds) * 1000;
while (performance.now() < until) {
  for (const [path, taken] of Object.entries(times)) {
    await timeOf(path).then(
      (ms) => taken.push(ms),
      () => {
        refused += 1;
      },
    );
    await pause(PAUSE_MS);
  }
}
agent.destroy();
process.send?.({ times, refused });
process.disconnect?.();
