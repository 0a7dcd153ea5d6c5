import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NAMED_MAX } from '#server/db/statements.ts';
import { productionBuild } from '#server/pages/pages.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { answering, PERSON } from '#server/testing/matched-doctor.ts';
import { type Outcome, violationsOf } from './judge.ts';
import { LogWatch } from './log-watch.ts';
import { type Memory, measureMemory } from './memory.ts';
import {
  oddHeaderRequests,
  oddPathRequests,
  pagePatterns,
  pageRequests,
  rawBytes,
} from './odd-requests.ts';
import { type Match, matcher, type Operation, readOperations } from './operations.ts';
import { type Exchange, invalidRequests, validRequests } from './requests.ts';
import { employerSequences, reviewSequences } from './sequences.ts';
import { answersTo, socketAnswer } from './socket.ts';
import { TurnWatch } from './stalls.ts';
import { World } from './world.ts';

/** A run of the fuzzer. The same seed generates the same requests. */
const FUZZ = {
  requests: Number(process.env['FUZZ_REQUESTS'] ?? 20_000),
  seed: Number(process.env['FUZZ_SEED'] ?? 1),
};
/** Allowed growth between the first quarter of a run and its end. */
const MAX_HEAP_GROWTH_MB = 16;
const MAX_BACKEND_GROWTH_MB = 8;
/** After the first part, all caches and statements are filled. */
const PARTS = [1, 2, 3, 4];
/** Values that are sent at once. */
const LANES = 8;
/** About half of them, because fast-check generates lists of any length. */
const AT_ONCE = LANES / 2;
/** The longest allowed turn of the event loop. It counts only if it is as long each time. */
const STALL_MS = 200;
const TRIES_ALONE = 3;
const RUNS_BETWEEN_TIDYINGS = 16;
/** How long to wait for a response to bytes that are not a complete request. */
const RAW_PATIENCE_MS = 50;
/** With fewer requests, the lives of too few reviews are played. */
const ENOUGH = 20_000;
/** Further requests for an operation that has not succeeded yet. */
const MORE = 300;
/** Operations that need a code, a link from a mail, a file, or a second person. API tests walk these. */
const LEFT_OUT =
  /confirm|stop|validate|lock|factor|unsubscribe|mailbox|representative|second-look|admin.*appeal|\/(?:ask|document)\//;

const log = new LogWatch();
const turns = new TurnWatch();
const succeeded = new Set<string>();
const statuses = new Map<number, number>();
const memory: Memory[] = [];
/** Patterns of the pages' URLs; empty without a build. */
const pages = await pagePatterns();
let server: TestApp;
let world: World;
let operations: readonly Operation[];
let matchOf: (method: string, url: string) => Match;
let port: number;

beforeAll(async () => {
  server = await buildTestApp({
    config: { logLevel: 'trace' },
    npiRegistry: answering(PERSON),
    logTo: (line) => log.read(line),
    ...(pages.length > 0 && { pageSource: productionBuild }),
  });
  operations = await readOperations(server.app);
  matchOf = matcher(operations);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.app.server.address() as AddressInfo);
  world = await World.open(server);
  log.watchFor(world.secrets());
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
  turns[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Requests, or bytes that may be any number of them. */
type Value = Exchange | string;

/** Each kind of value, its share of all requests, and the approximate number of requests in one. */
const IDEAS: readonly [
  name: string,
  share: number,
  length: number,
  arbitrary: () => fc.Arbitrary<Value>,
][] = [
  ['valid requests', 38, 1, () => validRequests(operations)],
  ['invalid requests', 33, 1, () => invalidRequests(operations)],
  ['odd headers', 8, 1, () => oddHeaderRequests(operations)],
  ['odd paths and methods', 8, 1, () => oddPathRequests(operations)],
  ['the life of a review', 9, 9, () => reviewSequences],
  ['the life of an employer', 2, 6, () => employerSequences],
  ['pages', pages.length > 0 ? 2 : 0, 1, () => pageRequests(pages)],
  ['raw bytes', 3, 1, () => rawBytes],
];
const SHARES = IDEAS.reduce((sum, [, share]) => sum + share, 0);

/** Sends requests one after another. The first one of several creates what the others change. */
async function playExchange(exchange: Exchange): Promise<Outcome[]> {
  let last = '0';
  const outcomes: Outcome[] = [];
  for (const { role, method, ...request } of exchange) {
    const authorization = world.authorization(role);
    const url = await world.resolve(request.url, role, last);
    const body = request.body && (await world.resolve(request.body, role, last));
    const headers: Record<string, string> = {
      ...request.headers,
      ...(authorization && { authorization }),
    };
    const answer = await socketAnswer(port, { role, method, url, headers, body });
    const match = matchOf(method, url);
    const unknown = `${match.isKnownPath ? 'another method' : 'no route'}: ${url.slice(0, 100)}`;
    const route = match.operation ? `${method} ${match.operation.path}` : unknown;
    outcomes.push({ role, method, route, requestId: headers['x-request-id'], match, answer });
    const isCreated = outcomes.length === 1 && exchange.length > 1;
    if (isCreated && !(answer instanceof Error) && answer.status < 300) {
      last = String(JSON.parse(answer.body).id);
    }
  }
  return outcomes;
}

/** Each response to bytes must be a possible response to a request. */
async function playBytes(text: string): Promise<Outcome[]> {
  const sender = { role: 'signed-out', method: 'GET', route: 'raw bytes' } as const;
  const answers = await answersTo(port, Buffer.from(text, 'latin1'), [], RAW_PATIENCE_MS);
  return answers.map((answer) => ({ ...sender, requestId: undefined, match: null, answer }));
}

const play = (value: Value) => (typeof value === 'string' ? playBytes(value) : playExchange(value));

function count({ route, answer }: Outcome): void {
  if (answer instanceof Error) return;
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  if (answer.status < 300) succeeded.add(route);
}

async function stallsAlone(value: Value): Promise<boolean> {
  for (let at = 0; at < TRIES_ALONE; at += 1) {
    turns.reset();
    await play(value);
    if (turns.longest() <= STALL_MS) return false;
  }
  return true;
}

/** Fails if a response to these values, sent at once, violates anything. */
async function playAtOnce(values: readonly Value[]): Promise<void> {
  turns.reset();
  const outcomes = (await Promise.all(values.map(play))).flat();
  const isStalled = turns.longest() > STALL_MS;
  outcomes.forEach(count);
  const violations = outcomes.flatMap(violationsOf).map(({ text }) => text);
  server.expectDeclaredAnswers();
  for (const value of isStalled ? values : []) {
    if (await stallsAlone(value)) violations.push(`stall: over ${STALL_MS} ms of CPU time`);
  }
  if (violations.length > 0) throw new Error(violations.join('\n'));
}

describe.each(PARTS)('part %i', (part) => {
  test.each(IDEAS)('%s', async (_name, share, length, arbitrary) => {
    if (share === 0) return;
    const requests = (FUZZ.requests / PARTS.length) * (share / SHARES);
    const numRuns = Math.ceil(requests / length / AT_ONCE);
    const values = fc.array(arbitrary(), { minLength: 1, maxLength: LANES, size: 'max' });
    let runs = 0;
    const property = fc.asyncProperty(values, playAtOnce).afterEach(async () => {
      runs += 1;
      if (runs % RUNS_BETWEEN_TIDYINGS === 0) await world.tidy();
    });
    await fc.assert(property, { seed: FUZZ.seed + part, numRuns });
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
  const wanted = operations.filter(({ path }) => !LEFT_OUT.test(path));
  for (const operation of wanted.filter(isMissing)) {
    // The last requests may have ended the sessions of its role.
    await world.tidy();
    const more = fc.sample(validRequests([operation]), { seed: FUZZ.seed, numRuns: MORE });
    for (const exchange of more) {
      if (isMissing(operation)) (await playExchange(exchange)).forEach(count);
    }
  }
  expect(wanted.filter(isMissing).map(nameOf)).toEqual([]);
});

test('the log contains nothing from requests', () => {
  expect(log.leaks()).toEqual([]);
});

test('no more SQL texts are sent than may be named', () => {
  expect(server.statements.size).toBeLessThanOrEqual(NAMED_MAX);
});
