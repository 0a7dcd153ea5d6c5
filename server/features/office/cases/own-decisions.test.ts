import { CASE_CLAIM_MINUTES, type CaseKind } from '#contract/cases.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints, staffEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import type { Role } from '#contract/staff-roles.ts';
import { drawSecondLook } from '#server/features/reviews/moderation/second-look.ts';
import { caseIdAbout } from '#server/features/reviews/testing/moderation.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';
import { emptyOffice } from '../testing/empty-office.ts';
import { newLogin } from '../testing/second-factor.ts';

const { remove, keep, secondLook } = moderationEndpoints;

/** In each test, the two moderators have no other cases. */
const test = testWith()
  .extend('owner', async ({ site }) => {
    await emptyOffice(site);
    await site.deps.db.deleteFrom('cases').execute();
    return site.admin();
  })
  .extend('other', ({ site, owner: _ }) => site.admin(['moderator']))
  /** The case of an appeal against the owner's decision. */
  .extend('appealed', ({ site, owner }) => async () => {
    const author = await site.doctor();
    const { id } = await site.review({ by: author });
    await site.as(owner).post(remove, { reason: 'x' }, at(id));
    await site.as(author).post(reviewEndpoints.appeal, { text: 'Why?' }, at(id));
    return caseIdAbout(site, 'appeal', id);
  })
  /** A review with a decision that is drawn for a second look. */
  .extend('drawn', ({ site, other: _ }) => async (by: TestAccount, act: 'remove' | 'keep') => {
    const { id } = await site.review();
    if (act === 'remove') await site.as(by).post(remove, { reason: 'x' }, at(id));
    else await site.as(by).post(keep, null, at(id));
    const { db, clock } = site.deps;
    await db.deleteFrom('cases').where('review_id', '=', id).execute();
    await drawSecondLook(db, clock, id, { decidedBy: by.userId, isCertain: true });
    return id;
  });

type Account = Pick<TestAccount, 'headers'>;
const claim = (site: Site, id: string, by: Account) =>
  site.as(by).post(caseEndpoints.claim, at(id));
const release = (site: Site, id: string, by: Account) =>
  site.as(by).post(caseEndpoints.release, at(id));
const queue = async (site: Site, by: Account, kind: CaseKind) => {
  const { count, results } = (await site.as(by).get(caseEndpoints.list, { query: { kind } })).body;
  return { count, ids: results.map(({ id }) => id) };
};

test('claiming again does not prolong a claim', async ({ site, other, appealed }) => {
  const id = await appealed();
  const begin = site.time.now.getTime();
  const after = (minutes: number) => new Date(begin + minutes * MINUTE_MS);
  const until = after(CASE_CLAIM_MINUTES).toISOString();
  const end = async (by: Account = other) => (await claim(site, id, by)).body.claim?.until;
  expect(await end()).toBe(until);
  site.time.now = after(10);
  expect(await end()).toBe(until);
  await release(site, id, other);
  expect(await end()).toBe(until);
  site.time.now = after(CASE_CLAIM_MINUTES);
  // From then on, anyone could have claimed it.
  const again = await end(await newLogin(site, other));
  expect(again).toBe(after(2 * CASE_CLAIM_MINUTES).toISOString());
});

test('nobody can claim an appeal against themselves', async ({ site, owner, other, appealed }) => {
  const id = await appealed();
  expect((await claim(site, id, owner)).problem.code).toBe('own_decision');
  expect((await queue(site, owner, 'appeal')).ids).toContain(id);
  const { next_id } = (await site.as(owner).get(caseEndpoints.read, at(id))).body;
  expect(next_id).not.toBe(id);
  expect((await claim(site, id, other)).status).toBe(200);
});

test('the next case is never about an own decision', async ({ site, owner, other, appealed }) => {
  const [first, second] = [await appealed(), await appealed()];
  const url = { ...at(first), query: { kind: 'appeal' } };
  const next = async (by: Account) => (await site.as(by).get(caseEndpoints.read, url)).body.next_id;
  expect(await next(other)).toBe(second);
  expect(await next(owner)).toBeNull();
});

test('a second look is hidden from the one who decided', async ({ site, owner, other, drawn }) => {
  const before = await queue(site, owner, 'second_look');
  const id = await caseIdAbout(site, 'second_look', await drawn(owner, 'remove'));
  expect(await queue(site, owner, 'second_look')).toEqual(before);
  expect((await site.as(owner).get(caseEndpoints.read, at(id))).status).toBe(404);
  for (const act of [claim, release]) {
    expect((await act(site, id, owner)).problem.code).toBe('case_closed');
  }
  expect((await queue(site, other, 'second_look')).ids).toContain(id);
  expect((await claim(site, id, other)).status).toBe(200);
});

test('deciding again does not remove a second look', async ({ site, owner, other, drawn }) => {
  const review = await drawn(owner, 'remove');
  const first = await caseIdAbout(site, 'second_look', review);
  for (const by of [owner, other]) {
    await site.as(by).post(remove, { reason: 'y' }, at(review));
    const id = await caseIdAbout(site, 'second_look', review);
    expect(id).not.toBe(first);
    expect((await queue(site, by, 'second_look')).ids).not.toContain(id);
    const theOther = by === owner ? other : owner;
    expect((await queue(site, theOther, 'second_look')).ids).toContain(id);
  }
});

test('with one moderator left', async ({ site, owner, other, appealed, drawn }) => {
  const appoint = async (role: Role) => {
    const roles = { roles: [role] };
    const { status } = await site.as(owner).patch(staffEndpoints.appoint, roles, at(other.userId));
    expect(status).toBe(200);
  };
  // The only one can claim appeals, but still sees no second look at own decisions.
  const appeal = await appealed();
  const look = await caseIdAbout(site, 'second_look', await drawn(owner, 'remove'));
  const byOther = await drawn(other, 'keep');
  await appoint('curator');
  expect((await claim(site, appeal, owner)).status).toBe(200);
  const left = await queue(site, owner, 'second_look');
  expect(left.ids).not.toContain(look);
  // Somebody else's decision can still be reviewed.
  const case_id = await caseIdAbout(site, 'second_look', byOther);
  expect(left.ids).toContain(case_id);
  const verdict = { verdict: 'show', case_id } as const;
  expect((await site.as(owner).post(secondLook, verdict, at(byOther))).status).toBe(200);
  await appoint('moderator');
  expect((await queue(site, other, 'second_look')).ids).toContain(look);
});
