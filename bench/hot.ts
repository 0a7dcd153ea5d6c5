import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { type Figure, median } from './figures.ts';
import { type BenchServer, cpuMs, settingsFor, startServer } from './processes.ts';

const CONNECTIONS = 50;
const ROUNDS = 5;
const TARGET = { atLeast: 0.5 };
/** The headers of a browser behind a proxy. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' };

/** Compares cached responses with bare node:http that sends the same bytes. */
export async function hotFigures(databaseUrl: string, seconds: number): Promise<Figure[]> {
  await using server = await startServer(['server/main.ts'], settingsFor(databaseUrl));
  return [
    ...(await compare('JSON', server, '/api/reviews/', seconds)),
    ...(await compare('page', server, '/reviews', seconds)),
  ];
}

async function compare(what: string, server: BenchServer, place: string, seconds: number) {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
  const url = server.url + place;
  const bytes = await copyAnswer(url, folder);
  const bare = await startServer(['bench/bare-server.ts', `${folder}/head`, `${folder}/body`]);
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

interface Load {
  readonly perSecond: number;
  /** CPU time of a response; null without /proc. */
  readonly micros: number | null;
}

function figuresOf(what: string, ours: readonly Load[], theirs: readonly Load[]): Figure[] {
  const [speed = 0, bareSpeed = 0] = [ours, theirs].map((loads) =>
    Math.round(median(loads.map(({ perSecond }) => perSecond))),
  );
  const [cost = 0, bareCost = 0] = [ours, theirs].map((loads) =>
    median(loads.flatMap(({ micros }) => micros ?? [])),
  );
  return [
    {
      what: `hot ${what}: throughput relative to bare node:http`,
      measured: speed / bareSpeed,
      target: TARGET,
      note: `${speed} of ${bareSpeed} responses per second`,
    },
    {
      what: `hot ${what}: the same by CPU time`,
      measured: Number.isNaN(cost) ? null : bareCost / cost,
      target: TARGET,
      note: `${cost.toFixed(1)} and ${bareCost.toFixed(1)} µs per response`,
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

async function load({ pid }: BenchServer, url: string, duration: number): Promise<Load> {
  const before = cpuMs(pid);
  const result = await autocannon({ url, connections: CONNECTIONS, duration, headers: HEADERS });
  const after = cpuMs(pid);
  const { total } = result.requests;
  if (result.errors + result.non2xx > 0) throw new Error(`${url} failed under load`);
  const micros = before === null || after === null ? null : ((after - before) * 1000) / total;
  return { perSecond: total / result.duration, micros };
}
