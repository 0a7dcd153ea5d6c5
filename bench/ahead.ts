/**
 * Measures the gain of sending cached responses ahead of Fastify (docs/decisions/0005), on the
 * PostgreSQL server of DATABASE_URL: `node bench/ahead.ts --seconds 3`, after `npm run build`.
 */
import { parseArgs } from 'node:util';
import { filledDatabase } from './databases.ts';
import { type Figure, median, tableOf } from './figures.ts';
import { load } from './hot.ts';
import { startScript } from './processes.ts';

const ROUNDS = 7;
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
const seconds = Number(values.seconds);
const serverUrl = process.env['DATABASE_URL'];
if (!serverUrl) throw new Error('DATABASE_URL must name a PostgreSQL server');
const sizes = { reviews: 10_000, employers: 20_000 };
const url = await filledDatabase(serverUrl, sizes, (line) => console.error(line));

await using ahead = await startScript('ahead-server.ts', url, 'ahead');
await using hook = await startScript('ahead-server.ts', url, 'hook');
const figures: Figure[] = [];
for (const [what, path] of [
  ['JSON', '/api/reviews/'],
  ['page', '/reviews'],
] as const) {
  const costs: Record<'ahead' | 'hook', number[]> = { ahead: [], hook: [] };
  // The first round is a warm-up. The two alternate, so that other load on the machine affects
  // both.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [mode, server] of [['ahead', ahead] as const, ['hook', hook] as const]) {
      const { cpuMicroseconds } = await load(server, server.url + path, seconds);
      if (round > 0 && cpuMicroseconds !== null) costs[mode].push(cpuMicroseconds);
    }
  }
  const [ours, theirs] = [median(costs.ahead), median(costs.hook)];
  figures.push({
    what: `${what}: CPU time in Fastify's first hook, relative to ahead of Fastify`,
    measured: theirs / ours,
    target: { atLeast: 1.3 },
    note: `${theirs.toFixed(1)} and ${ours.toFixed(1)} µs per response`,
  });
}
console.log(tableOf(figures));
