import type fc from 'fast-check';
import type { TestApp } from '#server/testing/app.ts';
import { type Idea, idea } from './fuzzer.ts';
import type { Outcome } from './invariants.ts';
import { nearlyValidRequests } from './mutations.ts';
import { oddHeaderRequests } from './odd-headers.ts';
import { oddPathRequests } from './odd-paths.ts';
import { type Match, matcher, type Operation } from './operations.ts';
import { pageRequests } from './pages.ts';
import { rawBytes } from './raw-requests.ts';
import { type Exchange, validRequests, wrongRequests } from './requests.ts';
import {
  accountSequences,
  decisionSequences,
  employerSequences,
  representativeSequences,
  reviewSequences,
} from './sequences.ts';
import { shortened, show } from './show.ts';
import { newStory } from './story.ts';
import { answersTo, injected, type Send, socketAnswer } from './transport.ts';
import type { World } from './world.ts';

interface Scene {
  readonly server: TestApp;
  readonly world: World;
  readonly operations: readonly Operation[];
  /** Patterns of the pages' URLs; empty without a build. */
  readonly pages: readonly string[];
  readonly port: number;
}

/** How long to wait for a response to bytes that are not a complete request. */
const RAW_PATIENCE_MS = 50;

/** All ideas, each with its share of the requests. */
export function ideasOf(scene: Scene): Idea[] {
  const { operations, pages, port, server } = scene;
  const match = matcher(operations);
  const inject: Send = (request) => injected(server, request);
  const overSocket: Send = (request) => socketAnswer(port, request);

  const exchanges = (
    name: string,
    share: number,
    arbitrary: fc.Arbitrary<Exchange>,
    { send = inject, length = 1 }: { send?: Send; length?: number } = {},
  ) =>
    idea<Exchange>({
      name,
      share,
      length,
      arbitrary,
      play: (exchange) => playExchange(scene.world, match, send, exchange),
      show,
    });

  return [
    exchanges('valid requests', 38, validRequests(operations)),
    exchanges('nearly valid requests', 18, nearlyValidRequests(operations)),
    exchanges('wrong types', 15, wrongRequests(operations)),
    exchanges('odd headers', 8, oddHeaderRequests(operations), { send: overSocket }),
    exchanges('odd paths and methods', 8, oddPathRequests(operations), { send: overSocket }),
    exchanges('the life of a review', 8, reviewSequences(operations), { length: 8 }),
    exchanges('the life of a decision', 1, decisionSequences(operations), { length: 4 }),
    exchanges('the life of an employer', 1, employerSequences(), { length: 4 }),
    exchanges('the life of a representative', 0.6, representativeSequences(), { length: 12 }),
    exchanges('the life of an account', 0.6, accountSequences(), { length: 5 }),
    ...(pages.length > 0 ? [exchanges('pages', 2, pageRequests(pages), { send: overSocket })] : []),
    idea<string>({
      name: 'raw bytes',
      share: 3,
      length: 1,
      arbitrary: rawBytes,
      play: (text) => playBytes(port, text),
      show: (text) => `    ${shortened(JSON.stringify(text))}`,
    }),
  ];
}

async function playExchange(
  world: World,
  match: ReturnType<typeof matcher>,
  send: Send,
  exchange: Exchange,
): Promise<Outcome[]> {
  const story = newStory();
  const outcomes: Outcome[] = [];
  for (const request of exchange) {
    const { role, method } = request;
    const authorization = await world.accounts.authorization(role, story);
    const url = await world.resolve(request.url, role, story);
    const body = request.body && (await world.resolve(request.body, role, story));
    const headers: Record<string, string> = {
      ...request.headers,
      ...(authorization && { authorization }),
      ...(story.officePass && { cookie: story.officePass }),
    };
    const answer = await send({ ...request, url, headers, body });
    const matched = match(method, url);
    const route = routeOf(method, url, matched);
    const requestId = headers['x-request-id'];
    outcomes.push({ role, method, route, requestId, match: matched, answer });
    if (!(answer instanceof Error) && answer.status < 300 && matched.operation) {
      const success = { role, operation: matched.operation, url, ...answer };
      world.stock.learn(story, success);
    }
  }
  return outcomes;
}

function routeOf(method: string, url: string, { operation, isKnownPath }: Match): string {
  if (operation) return `${method} ${operation.path}`;
  if (isKnownPath) return 'another method';
  return url.startsWith('/') ? 'no route' : `no route: ${url.slice(0, 6)}`;
}

/** Raw bytes may get any number of responses, but each must be a possible response to a request. */
async function playBytes(port: number, text: string): Promise<Outcome[]> {
  const route = 'raw bytes';
  const about = {
    role: 'signed-out',
    method: 'GET',
    route,
    requestId: undefined,
    match: null,
  } as const;
  const answers = await answersTo(port, Buffer.from(text, 'latin1'), [], RAW_PATIENCE_MS);
  return answers.map((answer) => ({ ...about, answer }));
}
