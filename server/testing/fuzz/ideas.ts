import fc from 'fast-check';
import type { TestApp } from '#server/testing/app.ts';
import { type Outcome, violationsOf } from './judge.ts';
import { nearlyValidRequests } from './mutations.ts';
import { oddHeaderRequests } from './odd-headers.ts';
import { oddPathRequests } from './odd-paths.ts';
import type { Match, Matcher, Operation } from './operations.ts';
import { pageRequests } from './pages.ts';
import { rawBytes } from './raw-requests.ts';
import { type Exchange, validRequests, wrongRequests } from './requests.ts';
import { employerSequences, reviewSequences } from './sequences.ts';
import { STALL_MS } from './settings.ts';
import { answersTo, injected, socketAnswer } from './socket.ts';
import type { TurnWatch } from './stalls.ts';
import type { World } from './world.ts';

/** The running server, and what its requests need. */
export interface Scene {
  readonly server: TestApp;
  readonly world: World;
  readonly operations: readonly Operation[];
  readonly match: Matcher;
  /** Patterns of the pages' URLs; empty without a build. */
  readonly pages: readonly string[];
  readonly port: number;
  readonly turns: TurnWatch;
  /** Receives every response. */
  count(outcome: Outcome): void;
}

/** One kind of request. */
interface Idea {
  /** Its share of all requests, relative to the other ideas. */
  readonly share: number;
  /** The approximate number of requests per value. */
  readonly length: number;
  property(scene: Scene): fc.IAsyncProperty<unknown>;
}

/** Values that are sent at once. */
const LANES = 8;
/** About half of them, because fast-check generates lists of any length. */
export const AT_ONCE = LANES / 2;
/** A turn counts as a stall only if it is as long each time. */
const TRIES_ALONE = 3;
const RUNS_BETWEEN_TIDYINGS = 16;
/** How long to wait for a response to bytes that are not a complete request. */
const RAW_PATIENCE_MS = 50;

const exchanges = (
  share: number,
  arbitraryOf: (scene: Scene) => fc.Arbitrary<Exchange>,
  { overSocket = false, length = 1 } = {},
): Idea => ({
  share,
  length,
  property(scene) {
    const play = (exchange: Exchange) => playExchange(scene, exchange, overSocket);
    return propertyOf(scene, arbitraryOf(scene), play);
  },
});

export const IDEAS: Readonly<Record<string, Idea>> = {
  'valid requests': exchanges(38, ({ operations }) => validRequests(operations)),
  'nearly valid requests': exchanges(18, ({ operations }) => nearlyValidRequests(operations)),
  'wrong types': exchanges(15, ({ operations }) => wrongRequests(operations)),
  'odd headers': exchanges(8, ({ operations }) => oddHeaderRequests(operations), {
    overSocket: true,
  }),
  'odd paths and methods': exchanges(8, ({ operations }) => oddPathRequests(operations), {
    overSocket: true,
  }),
  'the life of a review': exchanges(9, ({ operations }) => reviewSequences(operations), {
    length: 9,
  }),
  'the life of an employer': exchanges(2, employerSequences, { length: 6 }),
  pages: exchanges(2, ({ pages }) => pageRequests(pages), { overSocket: true }),
  'raw bytes': {
    share: 3,
    length: 1,
    property: (scene) => propertyOf(scene, rawBytes, (text) => playBytes(scene.port, text)),
  },
};

/** That no response to some values, sent at once, violates anything. */
function propertyOf<T>(
  { turns, world, count }: Scene,
  arbitrary: fc.Arbitrary<T>,
  play: (value: T) => Promise<Outcome[]>,
): fc.IAsyncProperty<unknown> {
  let runs = 0;
  const stallsAlone = async (value: T) => {
    for (let at = 0; at < TRIES_ALONE; at += 1) {
      turns.reset();
      await play(value);
      if (turns.longest() <= STALL_MS) return false;
    }
    return true;
  };
  const values = fc.array(arbitrary, { minLength: 1, maxLength: LANES, size: 'max' });
  return fc
    .asyncProperty(values, async (some) => {
      turns.reset();
      const outcomes = (await Promise.all(some.map(play))).flat();
      const isStalled = turns.longest() > STALL_MS;
      outcomes.forEach(count);
      const violations = outcomes.flatMap(violationsOf).map(({ text }) => text);
      for (const value of isStalled ? some : []) {
        if (await stallsAlone(value)) violations.push(`stall: over ${STALL_MS} ms of CPU time`);
      }
      if (violations.length > 0) throw new Error(violations.join('\n'));
    })
    .afterEach(async () => {
      runs += 1;
      if (runs % RUNS_BETWEEN_TIDYINGS === 0) await world.tidy();
    });
}

/** Sends requests one after another. The first one of several creates what the others change. */
export async function playExchange(
  { server, world, port, match }: Scene,
  exchange: Exchange,
  overSocket = false,
): Promise<Outcome[]> {
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
    const sent = { role, method, url, headers, body };
    const answer = overSocket ? await socketAnswer(port, sent) : await injected(server, sent);
    const matched = match(method, url);
    const route = routeOf(method, url, matched);
    outcomes.push({
      role,
      method,
      route,
      requestId: headers['x-request-id'],
      match: matched,
      answer,
    });
    const isCreated = outcomes.length === 1 && exchange.length > 1;
    if (isCreated && !(answer instanceof Error) && answer.status < 300) {
      last = String(JSON.parse(answer.body).id);
    }
  }
  return outcomes;
}

function routeOf(method: string, url: string, { operation, isKnownPath }: Match): string {
  if (operation) return `${method} ${operation.path}`;
  return `${isKnownPath ? 'another method' : 'no route'}: ${url.slice(0, 100)}`;
}

/** Raw bytes may get any number of responses, but each must be a possible response to a request. */
async function playBytes(port: number, text: string): Promise<Outcome[]> {
  const sender = { role: 'signed-out', method: 'GET', route: 'raw bytes' } as const;
  const answers = await answersTo(port, Buffer.from(text, 'latin1'), [], RAW_PATIENCE_MS);
  return answers.map((answer) => ({ ...sender, requestId: undefined, match: null, answer }));
}
