import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints, doctorDecisionEndpoints } from '#contract/endpoints/office.ts';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import { openCase } from '#server/cases/cases.ts';
import { caseIdAbout, report } from '#server/features/reviews/testing/moderation.ts';
import { newDoctor } from '#server/testing/factories.ts';
import { at, type Client, expect, invalid, type Site, testWith } from '#server/testing/site.ts';

const { changes, claim, list } = caseEndpoints;

const test = testWith()
  .extend('owner', { scope: 'file' }, async ({ site }) => site.admin(['owner', 'moderator']))
  .extend('other', { scope: 'file' }, async ({ site, owner: _ }) => site.admin(['moderator']))
  .extend('verifier', { scope: 'file' }, async ({ site, owner: _ }) => site.admin(['verifier']));
test.beforeEach(async ({ site }) => {
  await site.deps.db.deleteFrom('cases').execute();
});

async function reported(site: Site) {
  const { id: review } = await site.review();
  await report(site, review);
  return { review, id: await caseIdAbout(site, 'report', review) };
}

const read = async (by: Client, query: object) => (await by.get(changes, { query })).body;

test('shows claims and closed cases of a page; counts others', async ({ site, owner, other }) => {
  const [one, two, three] = [await reported(site), await reported(site), await reported(site)];
  const client = site.as(owner);
  const colleague = site.as(other);
  const ids = [one.id, two.id].join(',');
  // The decision below may be drawn for a second look, which is a case of another kind.
  const kind = 'report';
  expect((await read(client, { ids, kind })).others).toBe(1);
  await colleague.post(claim, at(one.id));
  await colleague.post(moderationEndpoints.keep, null, at(two.review));
  await reported(site);
  const { cases, others } = await read(client, { ids, kind });
  expect(cases).toMatchObject([{ id: one.id, claim: { is_own: false, name: 'Root Example' } }]);
  expect(others).toBe(2);
  // Without a page, all are others.
  expect(await read(client, { kind })).toEqual({ cases: [], others: 3 });
  expect((await read(client, { ids, kind, claim: 'free' })).others).toBe(2);
  expect((await read(client, { ids, kind: 'appeal' })).others).toBe(0);
  expect((await read(client, { ids: three.id, kind, claim: 'own' })).others).toBe(0);
  // The same as on the page.
  const page = (await client.get(list, { query: { page_size: 100 } })).body.results;
  expect(page.find(({ id }) => id === one.id)).toEqual(cases[0]);
});

test('neither shows nor counts cases of other roles', async ({ site, owner, verifier }) => {
  const { id } = await reported(site);
  const { id: account_id } = await newDoctor({ deps: site.deps });
  const { db, clock } = site.deps;
  await openCase(db, clock, { kind: 'doctor', subject: { account_id }, priority: 2 });
  const [doctor] = (await site.as(verifier).get(list)).body.results;
  const ids = [id, doctor?.id].join(',');
  expect((await read(site.as(owner), { ids })).cases.map((one) => one.id)).toEqual([id]);
  expect((await read(site.as(verifier), { ids })).cases.map((one) => one.id)).toEqual([doctor?.id]);
  expect((await read(site.as(owner), {})).others).toBe(1);
  const reason = 'Showed a badge.';
  await site.as(verifier).post(doctorDecisionEndpoints.dismiss, { reason }, at(account_id));
  expect((await read(site.as(verifier), { ids })).cases).toEqual([]);
});

test('the deciding moderator cannot see a drawn second look', async ({ site, owner, other }) => {
  const { id: review_id } = await site.review();
  const { db, clock } = site.deps;
  const look = { kind: 'second_look', subject: { review_id }, priority: 3 } as const;
  await openCase(db, clock, { ...look, decidedBy: owner.userId });
  const ids = await caseIdAbout(site, 'second_look', review_id);
  expect(await read(site.as(owner), { ids })).toEqual({ cases: [], others: 0 });
  expect(await read(site.as(owner), {})).toEqual({ cases: [], others: 0 });
  expect((await read(site.as(other), { ids })).cases).toHaveLength(1);
});

test('rejects what is not a page of ids, and everyone but staff', async ({ site, owner }) => {
  const client = site.as(owner);
  const id = crypto.randomUUID();
  const many = (count: number) => Array.from({ length: count }, () => id).join(',');
  for (const ids of ['1', `${id},x`, many(PAGE_SIZE_MAX + 1)]) {
    expect((await client.get(changes, { query: { ids } })).status).toBe(400);
  }
  expect((await client.get(changes, { query: invalid({ page: 1 }) })).status).toBe(400);
  expect((await read(client, { ids: many(PAGE_SIZE_MAX) })).cases).toEqual([]);
  expect((await site.as(await site.doctor()).get(changes)).status).toBe(403);
  expect((await site.visitor().get(changes)).status).toBe(401);
});

test('asking 200 times meets no limit and counts toward none', async ({ site, owner }) => {
  const { pool } = site.deps.database;
  const writes = async () =>
    (await pool.query(`select count(*) from rate_limits`)).rows[0]?.['count'];
  const before = await writes();
  for (let times = 0; times < 200; times += 1) {
    expect((await site.as(owner).get(changes)).status).toBe(200);
  }
  expect(await writes()).toBe(before);
});
