import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAVED_ADDRESS_MAX, SAVED_MAX } from '#contract/limits.ts';
import { searchAddress } from '#contract/saved-address.ts';
import { send } from '#server/features/accounts/testing/account-flows.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';
import { changeList, resealLists } from './service.ts';
import { post, save, savedOf, switchMail } from './testing/saved.ts';

let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
});
afterAll(() => server[Symbol.asyncDispose]());

const EMPTY = { entries: [], weekly_mail: false };
const TX = '/reviews?specialty=Hospital+Medicine&state=TX';
const LIST = "select encode(sealed, 'hex') as sealed from saved_lists where user_id = $1";
const sealedOf = async (userId: string): Promise<string> =>
  (await server.deps.database.pool.query(LIST, [userId])).rows[0]?.sealed;

test('saves, lists, and removes employers and searches, newest first', async () => {
  const doctor = await signedInDoctor(server, {});
  expect(await savedOf(server, doctor)).toEqual(EMPTY);
  expect((await save(server, doctor, '/employers/1')).statusCode).toBe(200);
  await save(server, doctor, TX);
  await save(server, doctor, '/employers/1', '/employers?hospitals_only=true');
  const entries = ['/employers/1', '/employers?hospitals_only=true', TX];
  expect(await savedOf(server, doctor)).toEqual({ entries, weekly_mail: false });
  const removed = await post(server, '/remove/', { entries: [TX, '/employers/9'] }, doctor);
  expect(removed.json()).toEqual({ entries: entries.slice(0, 2), weekly_mail: false });
  expect((await switchMail(server, doctor, true)).json().weekly_mail).toBe(true);
  expect(await savedOf(server, await signedInDoctor(server))).toEqual(EMPTY);
});

test.each([
  '/employers/0',
  '/employers/07',
  '/employers/9999999999',
  '/employers/1?x=1',
  '/reviews/1',
  '/reviews?state=TX&specialty=Hospital+Medicine',
  '/reviews?specialty=Astrology',
  '/reviews?unknown=1',
  '/reviews?page=2',
  '/employers?min_beds=9&max_beds=3',
  '/employers?state=TX#x',
  'https://elsewhere.example/employers/1',
  '//elsewhere.example/employers/1',
  '/dashboard',
  '',
])('rejects %j: not the address of an employer or of a search', async (address) => {
  const answer = await save(server, await signedInDoctor(server), address);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors).toHaveProperty(['entries.0']);
});

test('rejects entries that are too long or too many, and anything but a list', async () => {
  const doctor = await signedInDoctor(server);
  const long = searchAddress('/reviews', { search: 'é'.repeat(SAVED_ADDRESS_MAX / 6 + 1) });
  expect((await save(server, doctor, long)).json().errors['entries.0']).toEqual([
    'This search is too long to save',
  ]);
  for (const entries of [[], Array(SAVED_MAX + 1).fill('/employers/1'), 'x', [1], null]) {
    expect((await post(server, '/', { entries }, doctor)).statusCode).toBe(400);
  }
  expect((await post(server, '/', { entries: ['/employers/1'], more: 1 }, doctor)).statusCode).toBe(
    400,
  );
  expect((await post(server, '/weekly-mail/', { weekly_mail: 'yes' }, doctor)).statusCode).toBe(
    400,
  );
});

test('rejects callers without a session, and requests from another site', async () => {
  const doctor = await signedInDoctor(server);
  const paths = [
    ['/', { entries: [TX] }],
    ['/remove/', { entries: [TX] }],
    ['/weekly-mail/', { weekly_mail: true }],
  ] as const;
  for (const [path, payload] of paths) {
    expect((await post(server, path, payload)).statusCode).toBe(401);
    const headers = { ...doctor.headers, origin: 'https://elsewhere.example' };
    expect((await post(server, path, payload, { headers })).json().code).toBe('cross_site_request');
  }
  expect((await server.app.inject({ url: '/api/saved/' })).statusCode).toBe(401);
  expect(await savedOf(server, doctor)).toEqual(EMPTY);
});

test('a full list keeps its entries, and reports that there is no room', async () => {
  const doctor = await signedInDoctor(server);
  const all = Array.from({ length: SAVED_MAX }, (_, at) => `/employers/${at + 1}`);
  await save(server, doctor, ...all);
  const refused = await save(server, doctor, '/employers/51');
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'saved_full']);
  expect((await save(server, doctor, '/employers/7')).statusCode).toBe(200);
  expect((await savedOf(server, doctor)).entries).toHaveLength(SAVED_MAX);

  const other = await signedInDoctor(server);
  const searches = Array.from({ length: 20 }, (_, at) =>
    searchAddress('/reviews', { search: `${at} ${'x'.repeat(180)}` }),
  );
  expect((await save(server, other, ...searches)).json().code).toBe('saved_full');
  expect(await savedOf(server, other)).toEqual(EMPTY);
  expect((await save(server, other, ...searches.slice(0, 15))).statusCode).toBe(200);
});

test('tabs that save and remove at the same time lose nothing', async () => {
  const doctor = await signedInDoctor(server);
  const ids = Array.from({ length: 20 }, (_, at) => `/employers/${at + 1}`);
  const saved = await Promise.all(ids.map((address) => save(server, doctor, address)));
  expect(saved.map(({ statusCode }) => statusCode)).toEqual(ids.map(() => 200));
  expect((await savedOf(server, doctor)).entries.toSorted()).toEqual(ids.toSorted());
  await Promise.all([
    ...ids.slice(0, 10).map((address) => post(server, '/remove/', { entries: [address] }, doctor)),
    save(server, doctor, '/employers/99'),
    switchMail(server, doctor, true),
  ]);
  const left = await savedOf(server, doctor);
  expect(left.weekly_mail).toBe(true);
  expect(left.entries.toSorted()).toEqual([...ids.slice(10), '/employers/99'].toSorted());
});

test('concurrent saves cannot exceed the limit', async () => {
  const doctor = await signedInDoctor(server);
  const all = Array.from({ length: SAVED_MAX - 1 }, (_, at) => `/employers/${at + 1}`);
  await save(server, doctor, ...all);
  const answers = await Promise.all(
    [901, 902, 903].map((id) => save(server, doctor, `/employers/${id}`)),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
});

test('a row is sealed, always has the same length, and opens for no other account', async () => {
  const [one, other] = [await signedInDoctor(server), await signedInDoctor(server)];
  const rows: string[] = [];
  const look = async ({ userId }: typeof one) => rows.push(await sealedOf(userId));
  await save(server, one, '/employers/1');
  await look(one);
  await save(server, one, ...Array.from({ length: 40 }, (_, at) => `/reviews?search=wordy+${at}`));
  await look(one);
  await switchMail(server, one, true);
  await look(one);
  await save(server, other, '/employers/1');
  await look(other);
  expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
  expect(new Set(rows).size).toBe(rows.length);
  for (const sealed of rows) {
    expect(Buffer.from(sealed, 'hex').toString('latin1')).not.toMatch(/employers|reviews|entries/);
  }
  const { pool } = server.deps.database;
  const { rows: columns } = await pool.query(
    "select column_name from information_schema.columns where table_name = 'saved_lists'",
  );
  expect(columns).toHaveLength(2);
  const stolen = "update saved_lists set sealed = decode($2, 'hex') where user_id = $1";
  await pool.query(stolen, [other.userId, rows[0]]);
  const opened = await server.app.inject({ url: '/api/saved/', headers: other.headers });
  expect(opened.json()).toEqual(EMPTY);
  await expect(pool.query(stolen, [other.userId, 'abcd'])).rejects.toThrow('saved_lists_length');
});

test('the sealing keys do not open a list: only the authorship key does', async () => {
  const doctor = await signedInDoctor(server);
  await save(server, doctor, '/employers/1');
  const sealed = Buffer.from(await sealedOf(doctor.userId), 'hex');
  const { keys } = server.deps;
  const id = sealed.subarray(2, 2 + (sealed[1] ?? 0)).toString();
  expect(keys.savedLists.map((key) => key.id)).toEqual([id]);
  expect(keys.sealing.map((key) => key.id)).not.toContain(id);
});

test('resealing keeps saved entries, and skips lists that change at the same time', async () => {
  const doctor = await signedInDoctor(server);
  await save(server, doctor, '/employers/1');
  const before = await sealedOf(doctor.userId);
  expect(await resealLists(server.deps)).toBe(0);
  const old = server.deps.keys.savedLists[0];
  const fresh = { id: 'ffffffff', key: Buffer.alloc(32, 1) };
  const keys = { ...server.deps.keys, savedLists: [fresh, old] as const };
  expect(await resealLists({ db: server.deps.db, keys })).toBeGreaterThan(0);
  expect(await sealedOf(doctor.userId)).not.toBe(before);
  expect(await resealLists({ db: server.deps.db, keys })).toBe(0);
  const list = await server.deps.db
    .transaction()
    .execute((trx) => changeList({ keys }, trx, doctor.userId, (one) => one));
  expect(list.entries).toEqual(['/employers/1']);
  // This test's server has only the old key: it treats what it cannot open as empty.
  expect(await savedOf(server, doctor)).toEqual(EMPTY);
  await resealLists({ db: server.deps.db, keys: { ...keys, savedLists: [old, fresh] } });
  expect((await savedOf(server, doctor)).entries).toEqual(['/employers/1']);
});

test('deleting the account deletes what it has saved', async () => {
  const { newMember, PASSWORD } = await import(
    '#server/features/accounts/testing/account-flows.ts'
  );
  const member = await newMember(server);
  await save(server, member, '/employers/1');
  expect(await sealedOf(member.id)).toBeTruthy();
  const payload = { password: PASSWORD, reviews: 'delete' };
  expect((await send(server, '/auth/delete-account/', payload, member)).statusCode).toBe(200);
  expect(await sealedOf(member.id)).toBeUndefined();
  expect((await save(server, member, '/employers/1')).statusCode).toBe(401);
});

test('shows saved employers as they are now, with the day of the newest review', async () => {
  const [one, merged, into] = [
    await newEmployer(server),
    await newEmployer(server),
    await newEmployer(server),
  ];
  const { db, cache } = server.deps;
  await db.updateTable('employers').set({ merged_into: into }).where('id', '=', merged).execute();
  cache.changed(['employers']);
  const author = await signedInDoctor(server);
  await send(server, '/reviews/', reviewOf(into, { overall_rating: 5 }), author);
  const ids = [merged, one, 2_000_000_000, one];
  const { results } = (await post(server, '/employers/', { ids })).json();
  const today = server.time.now.toISOString().slice(0, 10);
  expect(results).toMatchObject([
    {
      id: merged,
      employer: { id: into, overall_rating: 5, total_reviews: 1 },
      newest_review_on: today,
    },
    { id: one, employer: { id: one, overall_rating: null }, newest_review_on: null },
  ]);
  for (const wrong of [[], ['1'], [0], [1.5], Array(51).fill(1)]) {
    expect((await post(server, '/employers/', { ids: wrong })).statusCode).toBe(400);
  }
});
