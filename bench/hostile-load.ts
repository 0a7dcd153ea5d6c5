/** Sends expensive requests over and over: `hostile-load.ts URL SECONDS TOKEN EMPLOYER`. */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { reviewOf } from '#server/testing/factories.ts';

const CONNECTIONS = 16;
const [url = '', seconds = '', token = '', employer = ''] = process.argv.slice(2);

const random = () => randomBytes(6).toString('hex');
/** A new pattern of long and short words each time. */
const words = () =>
  Array.from({ length: 1 + Math.floor(12 * Math.random()) }, () =>
    random().slice(0, 1 + Math.floor(10 * Math.random())),
  ).join(' ');
const search = (path: string, text: string) => `${path}?search=${encodeURIComponent(text)}`;

const SLOW_TO_SCREEN = `${'a'.repeat(1667)}${' '.repeat(3332)}x`;
const review = JSON.stringify(reviewOf(Number(employer), { review_text: SLOW_TO_SCREEN }));

interface Asked {
  path: string;
  body?: string;
}

const HOSTILE: readonly (() => Asked)[] = [
  () => ({ path: '/api/reviews/', body: review }),
  () => ({ path: search('/api/position-titles/', words()) }),
  () => ({ path: `/reviews?f=${random()}` }),
  () => ({ path: search('/reviews', random()) }),
];

const until = performance.now() + Number(seconds) * 1000;
const statuses: Record<string, number> = {};

async function attack(agent: Agent, from: number) {
  for (let turn = from; performance.now() < until; turn += 1) {
    const { path, body } = HOSTILE[turn % HOSTILE.length]?.() ?? { path: '/' };
    const status = await send(agent, path, body).catch(() => 'failed');
    const kind = `${path.split('?')[0]} ${status}`;
    statuses[kind] = (statuses[kind] ?? 0) + 1;
  }
}

function send(agent: Agent, path: string, body?: string): Promise<number | undefined> {
  const headers = body
    ? { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    : { accept: 'text/html', 'accept-encoding': 'gzip, br' };
  return new Promise((resolve, reject) => {
    const asking = request(url + path, { agent, method: body ? 'POST' : 'GET', headers });
    asking.on('error', reject);
    asking.on('response', (response) => {
      buffer(response).then(() => resolve(response.statusCode), reject);
    });
    asking.end(body);
  });
}

const agents = Array.from(
  { length: CONNECTIONS },
  () => new Agent({ keepAlive: true, maxSockets: 1 }),
);
await Promise.all(agents.map(attack));
for (const agent of agents) agent.destroy();
process.send?.(statuses);
process.disconnect?.();
