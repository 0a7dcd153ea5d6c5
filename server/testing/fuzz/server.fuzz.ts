import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { productionBuild } from '#server/pages/pages.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { answering, PERSON } from '#server/testing/matched-doctor.ts';
import { Fuzzer } from './fuzzer.ts';
import { ideasOf } from './ideas.ts';
import { INVARIANTS, type Invariant } from './invariants.ts';
import { LogWatch } from './log-watch.ts';
import { type Memory, measureMemory } from './memory.ts';
import { type Operation, type RouteAccess, readOperations, recordAccess } from './operations.ts';
import { pagePatterns } from './pages.ts';
import { FUZZ, MAX_BACKEND_GROWTH_MB, MAX_HEAP_GROWTH_MB, MAX_SQL_TEXTS } from './settings.ts';
import { Statements } from './statements.ts';
import { World } from './world.ts';

/** Each round plays every idea. After the first, all caches and statements are filled. */
const ROUNDS = 4;
/** With fewer requests, some operations succeed only by chance. */
const ENOUGH = 20_000;

const log = new LogWatch();
const fuzzer = new Fuzzer();
const memory: Memory[] = [];
let server: TestApp;
let operations: Operation[];
let statements: Statements;

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
  statements = new Statements(server.deps.database.pool);
  operations = await readOperations(server.app, routes);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as AddressInfo;
  const world = await World.open(server);
  log.watchFor(world.accounts.secrets());

  const ideas = ideasOf({ server, world, operations, pages, port });
  const shares = ideas.reduce((sum, { share }) => sum + share, 0);
  const started = performance.now();
  let seed = FUZZ.seed;
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const idea of ideas) {
      seed = await fuzzer.play(idea, (FUZZ.requests / ROUNDS) * (idea.share / shares), seed, () =>
        world.tidy(),
      );
    }
    memory.push(await measureMemory(server.deps));
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  await fuzzer.shrink(ideas);
  summarize(seconds, pages.length > 0);
});
afterAll(async () => {
  fuzzer[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

function summarize(seconds: number, hasPages: boolean) {
  const { report } = fuzzer;
  const sizes = memory.map(({ heapMb, backendMb }) => `${mb(heapMb)}/${mb(backendMb)}`);
  process.stdout.write(
    [
      `${report.requests} requests in ${seconds} s, seed ${FUZZ.seed}${hasPages ? '' : ', no pages: run npm run build'}`,
      `responses: ${report.statuses()}`,
      `SQL texts: ${statements.count}; heap/largest backend in MB: ${sizes.join(', ')}`,
      '',
    ].join('\n'),
  );
}

const mb = (size: number) => size.toFixed(1);

/** How much a value has grown since the end of the first round. */
const growth = (of: keyof Memory) => (memory.at(-1)?.[of] ?? 0) - (memory[0]?.[of] ?? 0);

/** Invariants that are checked once at the end. All others are in the report. */
const AT_THE_END: Partial<Record<Invariant, () => string[]>> = {
  log: () => log.leaks(),
  coverage: () =>
    (FUZZ.requests < ENOUGH ? [] : operations)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !fuzzer.report.hasSucceeded(route)),
  statements: () =>
    statements.count <= MAX_SQL_TEXTS
      ? []
      : [`${statements.count} texts, at most ${MAX_SQL_TEXTS}`, ...statements.commonest()],
  heap: () =>
    growth('heapMb') <= MAX_HEAP_GROWTH_MB ? [] : [`grew by ${mb(growth('heapMb'))} MB`],
  backends: () =>
    growth('backendMb') <= MAX_BACKEND_GROWTH_MB ? [] : [`grew by ${mb(growth('backendMb'))} MB`],
};

test.each(Object.entries(INVARIANTS) as [Invariant, string][])('%s: %s', (invariant) => {
  const failures = AT_THE_END[invariant]?.() ?? fuzzer.report.failures(invariant);
  expect(failures.length, `\n${failures.join('\n\n')}\n`).toBe(0);
});
