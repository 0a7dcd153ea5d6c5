import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from '#contract/paging.ts';
import type { PositionTitle, Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
});
afterAll(() => server[Symbol.asyncDispose]());

/** How the public endpoint spells a title; undefined if it does not suggest it. */
async function suggested(search: string): Promise<string[]> {
  const query = new URLSearchParams({ search });
  const answer = await server.app.inject(`/api/position-titles/?${query}`);
  const titles = answer.json<Page<PositionTitle>>().results.map(({ title }) => title);
  return titles.filter((title) => lettersOf(title) === lettersOf(search));
}
const lettersOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Number of published reviews with a title, as counted by the public list. */
async function publicUses(title: string): Promise<number> {
  const query = new URLSearchParams({ position_title: title });
  return (await server.app.inject(`/api/reviews/?${query}`)).json<Page<Review>>().count;
}

const call = (...request: ApiCall) => callApi(server, ...request);

async function post(position_title: string, account?: TestAccount): Promise<[string, TestAccount]> {
  const author = account ?? (await signedInDoctor(server));
  const payload = reviewOf(await newEmployer(server), { position_title });
  const answer = await call('POST', '/reviews/', author, payload);
  expect(answer.statusCode, answer.body).toBe(201);
  return [`/reviews/${answer.json<Review>().id}/`, author];
}

async function night() {
  await server.jobs.enqueue(server.deps.db, 'refresh-titles', {});
  await server.jobs.idle();
}

test('posting, editing, and deleting do not change suggestions, so nobody learns who wrote two reviews', async () => {
  // Two reviews by one author with one title, and by two authors with another.
  const [, author] = await post('Quarry Medic');
  await post('Quarry Medic', author);
  await post('Glacier Physician');
  await post('Glacier Physician');
  for (const title of ['Quarry Medic', 'Glacier Physician']) {
    const [review, attacker] = await post(title);
    expect(await suggested(title), title).toEqual([]);
    const edit = reviewOf(0, { position_title: `${title} II` });
    expect((await call('PATCH', review, attacker, edit)).statusCode).toBe(200);
    expect(await suggested(title), title).toEqual([]);
    expect((await call('DELETE', review, attacker)).statusCode).toBe(204);
    expect(await suggested(title), title).toEqual([]);
  }
});

test('the nightly job decides only by public counts, so adding reviews reveals nothing about authors', async () => {
  const [, author] = await post('Canyon Physician');
  await post('Canyon Physician', author);
  await post('Tundra Medic');
  await post('Tundra Medic');
  for (let uses = 2; uses <= 11; uses += 1) {
    await night();
    // The commit's notification may arrive after the next request.
    server.deps.cache.changed(['position_titles']);
    for (const title of ['Canyon Physician', 'Tundra Medic']) {
      expect(await publicUses(title)).toBe(uses);
      expect(await suggested(title), `${title}, ${uses}`).toEqual(uses < 10 ? [] : [title]);
      await post(title);
    }
  }
});

test('titles are added and removed only at night, in their most common spelling', async () => {
  const reviews: Awaited<ReturnType<typeof post>>[] = [];
  for (let at = 0; at < 10; at += 1) {
    reviews.push(await post(at % 3 === 0 ? 'harbour-doctor' : 'Harbour Doctor'));
  }
  expect(await suggested('harbour doctor')).toEqual([]);
  await night();
  await expect.poll(() => suggested('harbour doctor')).toEqual(['Harbour Doctor']);

  const [last] = reviews;
  if (!last) throw new Error('no review');
  expect((await call('DELETE', ...last)).statusCode).toBe(204);
  expect(await suggested('harbour doctor')).toEqual(['Harbour Doctor']);
  await night();
  await expect.poll(() => suggested('harbour doctor')).toEqual([]);
});

test('a removed review does not count, and curated titles always stay', async () => {
  const [review] = await post('Lighthouse Physician');
  for (let at = 1; at < 10; at += 1) await post('Lighthouse Physician');
  await post('HOSPITALIST');
  const admin = await signedInAdmin(server);
  const removal = await call('POST', `/admin${review}remove/`, admin, { reason: 'Not a review' });
  expect(removal.statusCode, removal.body).toBe(200);
  await night();
  expect(await suggested('Lighthouse Physician')).toEqual([]);
  expect(await suggested('hospitalist')).toEqual(['Hospitalist']);
});

test('the refresh and writers do not block each other', async () => {
  const { pool } = server.deps.database.background;
  const writer = await pool.connect();
  try {
    // A transaction that writes a review and stays open.
    await writer.query('begin; lock table reviews, review_counts in row exclusive mode');
    await night();
    await writer.query('rollback');
    await writer.query('begin; lock table position_titles in access exclusive mode');
    await post('Hospitalist');
  } finally {
    await writer.query('rollback');
    writer.release();
  }
});
