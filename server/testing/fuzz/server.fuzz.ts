import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productionBuild } from '#server/pages/pages.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { answering, PERSON } from '#server/testing/matched-doctor.ts';
import { AT_ONCE, IDEAS, playExchange, type Scene } from './ideas.ts';
import { LogWatch } from './log-watch.ts';
import { type Memory, measureMemory } from './memory.ts';
import {
  matcher,
  type Operation,
  type RouteAccess,
  readOperations,
  recordAccess,
} from './operations.ts';
import { pagePatterns } from './pages.ts';
import { validRequests } from './requests.ts';
import { FUZZ, MAX_BACKEND_GROWTH_MB, MAX_HEAP_GROWTH_MB, MAX_SQL_TEXTS } from './settings.ts';
import { TurnWatch } from './stalls.ts';
import { World } from './world.ts';

/** After the first part, all caches and statements are filled. */
const PARTS = [1, 2, 3, 4];
/** With fewer requests, the lives of too few reviews are played. */
const ENOUGH = 20_000;
/** Further requests for an operation that has not succeeded yet. */
const MORE = 300;
/** Operations that need a code, a link from a mail, a file, or a second person. API tests walk these. */
const LEFT_OUT =
  /confirm|stop|validate|lock|factor|unsubscribe|mailbox|representative|second-look|admin.*appeal|\/(?:ask|document)\//;

const SHARES = Object.values(IDEAS).reduce((sum, { share }) => sum + share, 0);
const log = new LogWatch();
const succeeded = new Set<string>();
const statuses = new Map<number, number>();
const memory: Memory[] = [];
let server: TestApp;
let scene: Scene;

beforeAll(async () => {
  const pages = await pagePatterns();
  let routes: RouteAccess = new Map();
  server = await buildTestApp({
    config: { logLevel: 'trace' },
    npiRegistry: answering(PERSON),
    logTo: (line) => log.read(line),
    watch: (app) => {
      routes = recordAccess(app);
    },
    ...(pages.length > 0 && { pageSource: productionBuild }),
  });
  const operations = await readOperations(server.app, routes);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as AddressInfo;
  const world = await World.open(server);
  log.watchFor(world.secrets());
  scene = {
    ...{ server, world, operations, pages, port, match: matcher(operations) },
    turns: new TurnWatch(),
    count({ route, answer }) {
      if (answer instanceof Error) return;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 300) succeeded.add(route);
    },
  };
});
afterAll(async () => {
  const sorted = [...statuses].toSorted(([a], [b]) => a - b);
  process.stdout.write(
    [
      `responses: ${sorted.map(([status, count]) => `${status}: ${count}`).join(', ')}`,
      `SQL texts: ${server.statements.size}; heap and largest backend in MB:`,
      ...memory.map(({ heapMb, backendMb }) => `${heapMb.toFixed(1)} and ${backendMb.toFixed(1)}`),
      '',
    ].join('\n'),
  );
  scene.turns[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

describe.each(PARTS)('part %i', (part) => {
  test.each(Object.entries(IDEAS))('%s', async (name, { share, length, property }) => {
    if (name === 'pages' && scene.pages.length === 0) return;
    const requests = (FUZZ.requests / PARTS.length) * (share / SHARES);
    const numRuns = Math.ceil(requests / length / AT_ONCE);
    await fc.assert(property(scene), { seed: FUZZ.seed + part, numRuns });
  });

  test('the memory of the process and of its backends is flat', async () => {
    memory.push(await measureMemory(server.deps));
    const growth = (of: keyof Memory) => (memory.at(-1)?.[of] ?? 0) - (memory[0]?.[of] ?? 0);
    expect(growth('heapMb')).toBeLessThan(MAX_HEAP_GROWTH_MB);
    expect(growth('backendMb')).toBeLessThan(MAX_BACKEND_GROWTH_MB);
  });
});

test('every operation that needs no code, file, or second person succeeds', async () => {
  if (FUZZ.requests < ENOUGH) return;
  const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
  const isMissing = (operation: Operation) => !succeeded.has(nameOf(operation));
  const wanted = scene.operations.filter(({ path }) => !LEFT_OUT.test(path));
  for (const operation of wanted.filter(isMissing)) {
    // The last requests may have ended the sessions of its role.
    await scene.world.tidy();
    const more = fc.sample(validRequests([operation]), { seed: FUZZ.seed, numRuns: MORE });
    for (const exchange of more) {
      if (isMissing(operation)) (await playExchange(scene, exchange)).forEach(scene.count);
    }
  }
  expect(wanted.filter(isMissing).map(nameOf)).toEqual([]);
});

test('the log contains nothing from requests', () => {
  expect(log.leaks()).toEqual([]);
});

test('the number of SQL texts is bounded', () => {
  expect(server.statements.size).toBeLessThanOrEqual(MAX_SQL_TEXTS);
});
