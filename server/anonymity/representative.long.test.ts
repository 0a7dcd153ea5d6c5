import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { type Member, PASSWORD, send } from '#server/features/accounts/testing/account-flows.ts';
import { askToLock, newPoster } from '#server/features/accounts/testing/locked-account.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let scene: Awaited<ReturnType<typeof replyScene>>;
beforeAll(async () => {
  server = await buildTestApp();
  server.time.now = new Date('2026-11-22T12:00:00Z');
  scene = await replyScene(server);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Reviews with replies, and actions on them. The admin is the office. */
async function replyScene(server: TestApp) {
  const admin = await signedInAdmin(server);
  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { headers }: Pick<Member, 'headers'>,
    payload?: object,
  ) => server.app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });
  return {
    admin,
    call,
    /** An employer with a review and a representative. */
    async reviewed(author: Pick<Member, 'headers'>) {
      const employer = await newEmployer(server);
      const { id } = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
      return { employer, id, speaker: await signedInRepresentative(server, employer) };
    },
    write: (id: string, by: TestAccount, text: string) =>
      call('POST', `/reviews/${id}/reply/`, by, { text }),
    report: (id: string, by: Pick<Member, 'headers'>) =>
      call('POST', `/reviews/${id}/reply/report/`, by, { reason: 'abusive', note: '' }),
    decide: (id: string, outcome: 'keep' | 'remove') =>
      call('POST', `/admin/replies/${id}/${outcome}/`, admin, {
        ...(outcome === 'remove' && { reason: 'Asks who wrote it.', rule: 'asking_who' }),
      }),
  };
}

interface Watched {
  employer: number;
  id: string;
  speaker: TestAccount;
}

/** What a representative can read beyond what everyone can, including future endpoints. */
const OWN_READS = Object.values(endpoints)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(({ method }) => method === 'GET')
  .filter(({ access }) => access === 'signed-in' || access === 'representative');

/** Headers that always differ between two responses. */
const NOISE = new Set(['date', 'x-request-id', 'etag', 'content-length']);

/** Everything that the representative learns about a review, with its own names and ids removed. */
async function learned({ employer, id, speaker }: Watched): Promise<string[]> {
  const reply = `/reviews/${id}/reply/`;
  const text = 'Thank you.';
  const reads = OWN_READS.map(({ path }) => ['GET', path.replace(':id', id)] as const);
  const requests: (readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object?])[] = [
    ...reads,
    ['GET', `/reviews/${id}/`],
    ['GET', `/employers/${employer}/`],
    ['GET', `/employers/${employer}/reviews/`],
    ['POST', `${reply}report/`, { reason: 'abusive' }],
    ['POST', `/reviews/${id}/report/`, { reason: 'abusive' }],
    ['POST', `/reviews/${id}/helpful/`],
    ['PATCH', reply, { text }],
    ['DELETE', reply],
    ['DELETE', reply],
    ['POST', reply, { text }],
    ['POST', reply, { text }],
    ['GET', `/employers/${employer}/reviews/`],
    ...reads,
  ];
  const told: string[] = [];
  for (const [method, path, payload] of requests) {
    const answer = await scene.call(method, path, speaker, payload);
    const headers = Object.entries(answer.headers).filter(([name]) => !NOISE.has(name));
    const all = JSON.stringify([method, path, answer.statusCode, headers, answer.body]);
    told.push(
      all
        // First, because a random value may contain what looks like a name.
        .replaceAll(/csrf=[^;"\\]+|known_device=[^;"\\]+/g, '(cookie)')
        // Employers get the time of the database, which may pass a minute in between.
        .replaceAll(/(?<=created_at\\":\\")[^\\]+(?=\\",\\"user_submitted)/g, '(time)')
        // Sealed, but its length is visible.
        .replaceAll(/(?<=write.position[=",]+)[\w-]{60,}/g, ({ length }) => `(${length})`)
        .replaceAll(new RegExp(`${id}|${speaker.userId}|${speaker.email}`, 'g'), '(own)')
        .replaceAll(/Hospital \d+|rep-\w{8}|request_id\\":\\"[\w-]+/g, '(name)')
        .replaceAll(new RegExp(`(employers/|id\\\\":)${employer}\\b`, 'g'), '$1(employer)'),
    );
  }
  return told;
}

async function watched(author: Pick<Member, 'headers'>): Promise<Watched> {
  const found = await scene.reviewed(author);
  const answer = await scene.write(found.id, found.speaker, 'Thank you.');
  expect(answer.statusCode, answer.body).toBe(201);
  return found;
}
const leave = (member: Pick<Member, 'headers'>, reviews: string) =>
  send(server, '/auth/delete-account/', { password: PASSWORD, reviews }, member);
const demand = (review: string) =>
  scene.call('POST', '/admin/legal-demands/', scene.admin, {
    ...{ kind: 'subpoena', received_on: '2026-01-05', review },
  });
const later = async (author: Pick<Member, 'headers'>) =>
  scene.call('POST', '/reviews/', author, {
    ...reviewOf(await newEmployer(server)),
    publish: 'later',
  });

type Deed = (author: Member, review: Watched) => Promise<{ statusCode: number }>;
const isDone = ({ statusCode }: { statusCode: number }) => statusCode < 300;

/** Actions on a review that stays public. */
const SECRETS: Record<string, Deed> = {
  'writes about another employer': async (author) =>
    scene.call('POST', '/reviews/', author, reviewOf(await newEmployer(server))),
  'reports the reply': (author, { id }) => scene.report(id, author),
  'reports the reply, which is kept': async (author, { id }) => {
    await scene.report(id, author);
    return scene.decide(id, 'keep');
  },
  'schedules another review': later,
  'locks the reviews': (author) => askToLock(server, author),
  'leaves, and the review stays': (author) => leave(author, 'keep'),
  'is reported, and the review is kept': async (_, { id }) => {
    const reader = await signedInDoctor(server, {});
    await scene.call('POST', `/reviews/${id}/report/`, reader, { reason: 'abusive' });
    return scene.call('POST', `/admin/reviews/${id}/keep/`, scene.admin, {});
  },
  'is named by a legal demand': (_, { id }) => demand(id),
};

test.each(Object.keys(SECRETS))(
  'a representative learns nothing when an author %s',
  async (name) => {
    const [author, control] = [await newPoster(server), await newPoster(server)];
    const [done, plain] = [await watched(author), await watched(control)];
    expect(await SECRETS[name]?.(author, done)).toSatisfy(isDone);
    expect(await learned(done)).toEqual(await learned(plain));
  },
);

/** Reasons why a review is not public. */
const HIDDEN: Record<string, Deed> = {
  'a moderator removed it': (_, { id }) =>
    scene.call('POST', `/admin/reviews/${id}/remove/`, scene.admin, { reason: 'Off topic.' }),
  'it is hidden until edited': (_, { id }) =>
    scene.call('POST', `/admin/reviews/${id}/hold/`, scene.admin, { reason: 'Names a nurse.' }),
  'its author has appealed': async (author, { id }) => {
    await scene.call('POST', `/admin/reviews/${id}/remove/`, scene.admin, { reason: 'Off topic.' });
    return scene.call('POST', `/reviews/${id}/appeal/`, author, { text: 'It is not.' });
  },
  'its author deleted it': (author, { id }) => scene.call('DELETE', `/reviews/${id}/`, author),
  'its author left': (author) => leave(author, 'delete'),
};

test.each(Object.keys(HIDDEN))(
  'a representative cannot tell a review that never existed from one that is hidden because %s',
  async (name) => {
    const author = await newPoster(server);
    const hidden = await watched(author);
    // Nor is it in the list of removed replies.
    await scene.decide(hidden.id, 'remove');
    expect(await HIDDEN[name]?.(author, hidden)).toSatisfy(isDone);
    expect(await learned(hidden)).toEqual(await learned(await neverReviewed()));
  },
);

test('a representative cannot tell a scheduled review from none', async () => {
  const waiting = await neverReviewed();
  const review = { ...reviewOf(waiting.employer), publish: 'later' };
  const answer = await scene.call('POST', '/reviews/', await newPoster(server), review);
  const { id } = answer.json<Review>();
  expect(await learned({ ...waiting, id })).toEqual(await learned(await neverReviewed()));
});

async function neverReviewed(): Promise<Watched> {
  const employer = await newEmployer(server);
  return {
    employer,
    id: crypto.randomUUID(),
    speaker: await signedInRepresentative(server, employer),
  };
}
