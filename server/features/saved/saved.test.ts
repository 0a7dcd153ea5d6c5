import { accountEndpoints } from '#contract/endpoints/account.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { DAY_MS, SAVED_ADDRESS_MAX, SAVED_MAX } from '#contract/limits.ts';
import { searchAddress } from '#contract/saved/saved-address.ts';
import { addMember, PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import { expect, invalid, newSite, type Site, test as siteTest } from '#server/testing/site.ts';
import { changeList, lists } from './saved.ts';
import { save, savedOf, switchMail } from './testing/saved.ts';

const test = siteTest
  .extend('doctor', ({ site }) => site.doctor())
  .extend('other', ({ site }) => site.doctor());

const EMPTY = { entries: [], weekly_mail: false };
const TX = '/reviews?specialty=Hospital+Medicine&state=TX';
const { list, remove, weeklyMail, employers } = savedEndpoints;

async function sealedOf({ deps }: Site, userId: string): Promise<string> {
  const text = "select encode(sealed, 'hex') as sealed from saved_lists where user_id = $1";
  return (await deps.database.pool.query(text, [userId])).rows[0]?.sealed;
}

test('saves, lists, and removes employers and searches, newest first', async ({ site, other }) => {
  const doctor = await site.doctor({});
  expect((await site.as(doctor).get(list)).body).toEqual(EMPTY);
  expect((await save(site, doctor, '/employers/1')).status).toBe(200);
  await save(site, doctor, TX);
  await save(site, doctor, '/employers/1', '/employers?hospitals_only=true');
  const entries = ['/employers/1', '/employers?hospitals_only=true', TX];
  expect((await site.as(doctor).get(list)).body).toEqual({ entries, weekly_mail: false });
  const removed = await site.as(doctor).post(remove, { entries: [TX, '/employers/9'] });
  expect(removed.body).toEqual({ entries: entries.slice(0, 2), weekly_mail: false });
  expect((await switchMail(site, doctor, true)).body.weekly_mail).toBe(true);
  expect((await site.as(other).get(list)).body).toEqual(EMPTY);
});

// The tests of `parseSaved` have more of them.
test.for([
  ...['/employers/0', '/employers/07', '/employers/9999999999', '/employers/1?x=1', '/reviews/1'],
  ...['/reviews?specialty=Astrology', '/reviews?unknown=1', '/reviews?page=2'],
  ...['/reviews?state=TX&specialty=Hospital+Medicine', '/employers?min_beds=9&max_beds=3'],
  ...['/employers?min_beds=0x10', '/employers?search=a%00b', '/reviews?position_title=%00'],
  ...['/employers?state=TX#x', 'https://elsewhere.example/employers/1'],
  ...['//elsewhere.example/employers/1', '/dashboard', ''],
])('rejects %j: neither an employer nor a search', async (address, { site, doctor }) => {
  const { problem } = await save(site, doctor, address);
  expect(problem.status).toBe(400);
  expect(problem.errors).toHaveProperty(['entries.0']);
});

test('rejects entries too long or too many, and all but lists', async ({ site, doctor }) => {
  const long = searchAddress('/reviews', { search: 'é'.repeat(SAVED_ADDRESS_MAX / 6 + 1) });
  const tooLong = (await save(site, doctor, long)).problem.errors;
  expect(tooLong).toEqual({ 'entries.0': ['This search is too long to save'] });
  const client = site.as(doctor);
  for (const entries of [[], Array(SAVED_MAX + 1).fill('/employers/1'), 'x', [1], null]) {
    expect((await client.post(savedEndpoints.save, invalid({ entries }))).status).toBe(400);
  }
  const more = invalid({ entries: ['/employers/1'], more: 1 });
  expect((await client.post(savedEndpoints.save, more)).status).toBe(400);
  expect((await client.post(weeklyMail, invalid({ weekly_mail: 'yes' }))).status).toBe(400);
});

test('rejects visitors, and requests from another site', async ({ site, doctor }) => {
  const visitor = site.visitor();
  const elsewhere = site.as(doctor, { headers: { origin: 'https://elsewhere.example' } });
  for (const [endpoint, payload] of [
    [savedEndpoints.save, { entries: [TX] }],
    [remove, { entries: [TX] }],
    [weeklyMail, { weekly_mail: true }],
  ] as const) {
    expect((await visitor.post(endpoint, invalid(payload))).status).toBe(401);
    const { problem } = await elsewhere.post(endpoint, invalid(payload));
    expect(problem.code).toBe('cross_site_request');
  }
  expect((await visitor.get(list)).status).toBe(401);
  expect((await site.as(doctor).get(list)).body).toEqual(EMPTY);
});

test('a full list keeps its entries, and says that it is full', async ({ site, doctor, other }) => {
  const all = Array.from({ length: SAVED_MAX }, (_, at) => `/employers/${at + 1}`);
  await save(site, doctor, ...all);
  const full = { status: 409, code: 'saved_full' };
  expect((await save(site, doctor, '/employers/51')).problem).toMatchObject(full);
  expect((await save(site, doctor, '/employers/7')).body.entries).toHaveLength(SAVED_MAX);

  const searches = Array.from({ length: 20 }, (_, at) =>
    searchAddress('/reviews', { search: `${at} ${'x'.repeat(180)}` }),
  );
  expect((await save(site, other, ...searches)).problem).toMatchObject(full);
  expect((await site.as(other).get(list)).body).toEqual(EMPTY);
  expect((await save(site, other, ...searches.slice(0, 15))).status).toBe(200);
});

test('tabs that save and remove at the same time lose nothing', async ({ site, doctor }) => {
  const ids = Array.from({ length: 20 }, (_, at) => `/employers/${at + 1}`);
  const saved = await Promise.all(ids.map((address) => save(site, doctor, address)));
  expect(saved.map(({ status }) => status)).toEqual(ids.map(() => 200));
  const entries = async () => (await site.as(doctor).get(list)).body.entries.toSorted();
  expect(await entries()).toEqual(ids.toSorted());
  await Promise.all([
    ...ids.slice(0, 10).map((address) => site.as(doctor).post(remove, { entries: [address] })),
    save(site, doctor, '/employers/99'),
    switchMail(site, doctor, true),
  ]);
  expect((await site.as(doctor).get(list)).body.weekly_mail).toBe(true);
  expect(await entries()).toEqual([...ids.slice(10), '/employers/99'].toSorted());
});

test('concurrent saves cannot exceed the limit', async ({ site, doctor }) => {
  const all = Array.from({ length: SAVED_MAX - 1 }, (_, at) => `/employers/${at + 1}`);
  await save(site, doctor, ...all);
  const one = (id: number) => save(site, doctor, `/employers/${id}`);
  const answers = await Promise.all([901, 902, 903].map(one));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('rows are sealed, of one length, and open for no other', async ({ site, doctor, other }) => {
  const rows: string[] = [];
  const look = async ({ userId }: typeof doctor) => rows.push(await sealedOf(site, userId));
  await save(site, doctor, '/employers/1');
  await look(doctor);
  const searches = Array.from({ length: 40 }, (_, at) => `/reviews?search=wordy+${at}`);
  await save(site, doctor, ...searches);
  await look(doctor);
  await switchMail(site, doctor, true);
  await look(doctor);
  await save(site, other, '/employers/1');
  await look(other);
  expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
  expect(new Set(rows).size).toBe(rows.length);
  for (const sealed of rows) {
    expect(Buffer.from(sealed, 'hex').toString('latin1')).not.toMatch(/employers|reviews|entries/);
  }
  const { pool } = site.deps.database;
  const { fields } = await pool.query('select * from saved_lists limit 0');
  expect(fields).toHaveLength(2);
  const stolen = "update saved_lists set sealed = decode($2, 'hex') where user_id = $1";
  await pool.query(stolen, [other.userId, rows[0]]);
  expect((await site.as(other).get(list)).body).toEqual(EMPTY);
  await expect(pool.query(stolen, [other.userId, 'abcd'])).rejects.toThrow('saved_lists_length');
});

test('no sealing key opens a list: only the authorship key does', async ({ site, doctor }) => {
  await save(site, doctor, '/employers/1');
  const sealed = Buffer.from(await sealedOf(site, doctor.userId), 'hex');
  const { keys } = site.deps;
  const id = sealed.subarray(2, 2 + (sealed[1] ?? 0)).toString();
  expect(keys.savedLists.map((key) => key.id)).toEqual([id]);
  expect(keys.sealing.map((key) => key.id)).not.toContain(id);
});

test('resealing keeps saved entries, and skips lists that change at the same time', async () => {
  const site = await newSite();
  const doctor = await site.doctor();
  const { db } = site.deps;
  await save(site, doctor, '/employers/1');
  const before = await sealedOf(site, doctor.userId);
  expect(await lists.reseal(site.deps)).toBe(0);
  const old = site.deps.keys.savedLists[0];
  const fresh = { id: 'ffffffff', key: Buffer.alloc(32, 1) };
  const keys = { ...site.deps.keys, savedLists: [fresh, old] as const };
  expect(await lists.reseal({ db, keys })).toBe(1);
  expect(await sealedOf(site, doctor.userId)).not.toBe(before);
  expect(await lists.reseal({ db, keys })).toBe(0);
  const transaction = db.transaction();
  const same = <T>(one: T) => one;
  const changed = await transaction.execute((trx) =>
    changeList({ keys }, trx, doctor.userId, same),
  );
  expect(changed.entries).toEqual(['/employers/1']);
  // This test's server has only the old key: it treats what it cannot open as empty.
  expect(await savedOf(site, doctor)).toEqual(EMPTY);
  await lists.reseal({ db, keys: { ...keys, savedLists: [old, fresh] } });
  expect((await savedOf(site, doctor)).entries).toEqual(['/employers/1']);
});

test('deleting the account deletes what it has saved', async ({ site }) => {
  const member = await addMember(site);
  await save(site, member, '/employers/1');
  expect(await sealedOf(site, member.id)).toBeTruthy();
  const payload = { password: PASSWORD, reviews: 'delete' } as const;
  expect((await site.as(member).post(accountEndpoints.delete, payload)).status).toBe(200);
  expect(await sealedOf(site, member.id)).toBeUndefined();
  expect((await save(site, member, '/employers/1')).status).toBe(401);
});

test('marks an employer whose first review is from the last seven days', async ({ site }) => {
  const [recent, older] = [await site.employer(), await site.employer()];
  const now = site.time.now;
  await site.review({ at: older });
  site.time.now = new Date(now.getTime() + DAY_MS);
  await site.review({ at: recent });
  const firsts = async (days: number) => {
    site.time.now = new Date(now.getTime() + days * DAY_MS);
    const { body } = await site.visitor().post(employers, { ids: [older, recent] });
    return body.results.map(({ is_first_review }) => is_first_review);
  };
  expect(await firsts(1)).toEqual([true, true]);
  expect(await firsts(7)).toEqual([false, true]);
  await site.review({ at: recent });
  expect(await firsts(7)).toEqual([false, true]);
  expect(await firsts(8)).toEqual([false, false]);
});

test('shows saved employers as they are, with the day of the newest review', async ({ site }) => {
  const [one, merged, into] = [await site.employer(), await site.employer(), await site.employer()];
  await site.change('employers', { id: merged }, { merged_into: into });
  site.deps.cache.changed(['employers']);
  await site.review({ at: into, overall_rating: 5 });
  const visitor = site.visitor();
  const ids = [merged, one, 2_000_000_000, one];
  expect((await visitor.post(employers, { ids })).body.results).toMatchObject([
    {
      id: merged,
      employer: { id: into, overall_rating: 5, total_reviews: 1 },
      newest_review_on: site.time.now.toISOString().slice(0, 10),
    },
    { id: one, employer: { id: one, overall_rating: null }, newest_review_on: null },
  ]);
  for (const wrong of [[], ['1'], [0], [1.5], Array(51).fill(1)]) {
    expect((await visitor.post(employers, invalid({ ids: wrong }))).status).toBe(400);
  }
});
