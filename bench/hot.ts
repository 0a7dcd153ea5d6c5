import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { type Figure, median } from './figures.ts';
import { type BenchServer, cpuMs, startCurbside, startScript } from './processes.ts';

const CONNECTIONS = 50;
const ROUNDS = 5;
const TARGET = { atLeast: 0.5 };
/** The headers of a browser behind a proxy. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' };

/** Compares cached responses with bare node:http that sends the same bytes. */
export async function hotFigures(databaseUrl: string, seconds: number): Promise<Figure[]> {
  await using server = await startCurbside(databaseUrl);
  const figures: Figure[] = [];
  for (const [what, url] of [
    ['JSON', `${server.url}/api/reviews/`],
    ['page', `${server.url}/reviews`],
  ] as const) {
    figures.push(...(await compare(what, server, url, seconds)));
  }
  return figures;
}

async function compare(what: string, server: BenchServer, url: string, seconds: number) {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
  const bytes = await copyAnswer(url, folder);
  const bare = await startScript('bare-server.ts', `${folder}/head`, `${folder}/body`);
  try {
    await Promise.all([load(server, url, 1), load(bare, bare.url, 1)]);
    const ours = [];
    const theirs = [];
    // Alternates, so that other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await load(server, url, seconds));
      theirs.push(await load(bare, bare.url, seconds));
    }
    return figuresOf(`${what} of ${bytes} bytes`, ours, theirs);
  } finally {
    await bare[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
}

function figuresOf(what: string, ours: readonly Load[], theirs: readonly Load[]): Figure[] {
  const speeds = [ours, theirs].map((loads) => median(loads.map(({ perSecond }) => perSecond)));
  const costs = [ours, theirs].map((loads) => {
    const known = loads.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? []);
    return known.length > 0 ? median(known) : null;
  });
  const [speed = 0, bareSpeed = 0] = speeds.map(Math.round);
  const [cost = null, bareCost = null] = costs;
  return [
    {
      what: `hot ${what}: throughput relative to bare node:http`,
      measured: speed / bareSpeed,
      target: TARGET,
      note: `${speed} of ${bareSpeed} answers per second`,
    },
    {
      what: `hot ${what}: the same by CPU time`,
      measured: cost && bareCost && bareCost / cost,
      target: TARGET,
      note:
        cost && bareCost
          ? `${cost.toFixed(1)} and ${bareCost.toFixed(1)} µs per answer`
          : 'no /proc',
    },
  ];
}

/** Copies the cached response into two files, without the headers that Node adds. */
async function copyAnswer(url: string, folder: string): Promise<number> {
  await fetch(url, { headers: HEADERS });
  const [response] = await once(get(url, { headers: HEADERS }), 'response');
  const head = (response.rawHeaders as string[]).flatMap((name, at, all) =>
    at % 2 === 0 && !/^(date|connection|keep-alive)$/i.test(name) ? [name, all[at + 1]] : [],
  );
  const body = await buffer(response);
  await writeFile(`${folder}/head`, JSON.stringify(head));
  await writeFile(`${folder}/body`, body);
  return body.length;
}

export interface Load {
  perSecond: number;
  cpuMicroseconds: number | null;
}

/** Sends load to a URL or, with `nextPath`, to a different path of its server each time. */
export async function load(
  { pid }: Pick<BenchServer, 'pid'>,
  url: string,
  duration: number,
  nextPath?: () => string,
): Promise<Load> {
  const before = cpuMs(pid);
  const options = { url, connections: CONNECTIONS, duration, headers: HEADERS };
  const setupRequest = (request: object) => ({ ...request, path: nextPath?.() });
  const result = await autocannon({
    ...options,
    ...(nextPath && { requests: [{ setupRequest }] }),
  });
  const after = cpuMs(pid);
  const { total } = result.requests;
  if (result.errors + result.non2xx > 0) throw new Error(`${url} failed under load`);
  return {
    perSecond: total / result.duration,
    cpuMicroseconds: before === null || after === null ? null : ((after - before) * 1000) / total,
  };
}
