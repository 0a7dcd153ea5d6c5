import autocannon from 'autocannon';
import { buildColdApp, type Statement } from './cold-app.ts';
import { type Figure, median } from './figures.ts';
import { pgbench } from './pgbench.ts';
import { type BenchServer, cpuMs, startScript } from './processes.ts';
import { REQUESTS } from './requests.ts';

const CLIENTS = 16;
const LATENCY_ROUNDS = 7;
const PAGE_ROUNDS = 150;
const PAGES = ['/', '/reviews', '/employers', '/employers/1', '/compare?ids=1,2,3'];

export interface ColdResult {
  readonly figures: Figure[];
  /** Kind of request -> median response time in milliseconds, for requests one after another. */
  readonly medians: ReadonlyMap<string, number>;
}

/** Compares uncached lists and searches with their SQL alone. */
export async function coldFigures(
  databaseUrl: string,
  reviews: number,
  seconds: number,
): Promise<ColdResult> {
  const statements = await statementsOf(databaseUrl);
  await using server = await startScript('cold-server.ts', databaseUrl);
  const figures: Figure[] = [];
  const medians = new Map<string, number>();
  for (const [kind, paths] of Object.entries(REQUESTS)) {
    medians.set(kind, await medianMs(server, paths));
    const ours = await throughput(server, paths, seconds);
    const asked = paths.map((path) => statements.get(path) ?? []);
    const alone = await pgbench(databaseUrl, asked, { clients: CLIENTS, seconds });
    figures.push({
      what: `cold ${kind}, with ${reviews.toLocaleString('en-US')} reviews: throughput relative to its SQL alone`,
      measured: ours / alone,
      target: { atLeast: 0.5 },
      note: `${Math.round(ours)} of ${Math.round(alone)} per second`,
    });
  }
  return { figures, medians };
}

/** How much the response time grows with the number of reviews. */
export function growthFigures(
  small: { reviews: number; result: ColdResult },
  large: { reviews: number; result: ColdResult },
): Figure[] {
  const factor = large.reviews / small.reviews;
  return Object.keys(REQUESTS).map((kind) => {
    const [before = 0, after = 0] = [small, large].map(({ result }) => result.medians.get(kind));
    return {
      what: `cold ${kind}: median response time with ${factor} times the reviews`,
      measured: after / before,
      target: { atMost: 2 },
      note: `${before.toFixed(1)} ms, then ${after.toFixed(1)} ms`,
    };
  });
}

/** The CPU time of an uncached page, with its usual compression. */
export async function pageFigures(databaseUrl: string): Promise<Figure[]> {
  await using server = await startScript('cold-server.ts', databaseUrl);
  const figures: Figure[] = [];
  for (const path of PAGES) {
    await askAll(server, Array(PAGE_ROUNDS).fill(path));
    const before = cpuMs(server.pid);
    await askAll(server, Array(PAGE_ROUNDS).fill(path));
    const after = cpuMs(server.pid);
    figures.push({
      what: `cold page ${path}: CPU time`,
      measured: before === null || after === null ? null : (after - before) / PAGE_ROUNDS,
      unit: ' ms',
      target: { atMost: 8 },
    });
  }
  return figures;
}

/** The queries that each request runs without caches. */
async function statementsOf(databaseUrl: string): Promise<Map<string, Statement[]>> {
  let asked: Statement[] = [];
  const { app, close } = await buildColdApp(databaseUrl, (statement) => asked.push(statement));
  const statements = new Map<string, Statement[]>();
  try {
    for (const path of Object.values(REQUESTS).flat()) {
      asked = [];
      const { statusCode } = await app.inject(path);
      if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}`);
      statements.set(path, asked);
    }
  } finally {
    await close();
  }
  return statements;
}

/**
 * Warms up the server first, because pgbench, which it is compared with, needs no JIT compilation.
 */
async function throughput({ url }: BenchServer, paths: readonly string[], seconds: number) {
  const requests = paths.map((path) => ({ path }));
  await autocannon({ url, connections: CLIENTS, duration: 1, requests });
  const result = await autocannon({ url, connections: CLIENTS, duration: seconds, requests });
  if (result.errors + result.non2xx > 0) throw new Error(`${paths[0]} failed under load`);
  return result.requests.total / result.duration;
}

async function medianMs(server: BenchServer, paths: readonly string[]): Promise<number> {
  await askAll(server, paths);
  const times: number[] = [];
  for (let round = 0; round < LATENCY_ROUNDS; round += 1) {
    times.push(...(await askAll(server, paths)));
  }
  return median(times);
}

/** Sends the requests one after another. Returns their times in milliseconds. */
async function askAll({ url }: BenchServer, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    const began = performance.now();
    const answer = await fetch(url + path, { headers: { 'accept-encoding': 'br' } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}`);
    times.push(performance.now() - began);
  }
  return times;
}
