import { expect } from 'vitest';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { DAY_MS, MINUTE_MS } from '#contract/limits.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { publishScheduled } from '#server/features/reviews/scheduled/publish-scheduled.ts';
import { freshKey } from '#server/stored-secrets.ts';
import { answering } from '#server/testing/matched-doctor.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { ban, setPermission } from './administration.ts';
import { openDisputes, timeToHold } from './disputes.ts';
import { ADA, leave, prove } from './testing/claimants.ts';
import {
  holdDue,
  inDays,
  loserWith,
  openCases,
  publishedOf,
  republish,
  runHolding,
  timesOf,
} from './testing/disputes.ts';

const REGISTRY = { config: { verification: 'registry' }, npiRegistry: answering(ADA) } as const;
const test = testWith(REGISTRY);
test.beforeEach(async ({ site: { deps } }) => {
  for (const table of ['npi_disputes', 'reviews', 'audit_log'] as const) {
    await deps.db.deleteFrom(table).execute();
  }
});

const DECISION = { actor: 'cli', reason: 'no badge' };
const disputes = ({ deps }: Site) => openDisputes(deps.keys, deps.db);

test('reviews by an account that lost its NPI stay for 30 days, then are held one by one within a month', async ({
  site,
}) => {
  const start = site.time.now;
  const { reviews } = await loserWith(site, 8);
  for (const day of [0, 10, 20, 29, 30]) {
    site.time.now = inDays(start, day);
    await runHolding(site);
    expect(await publishedOf(site, reviews)).toHaveLength(8);
  }
  const held = (await holdDue(site, reviews)).map(({ at }) => at.getTime());
  expect(held).toHaveLength(8);
  const [first = 0, last = 0] = [held[0], held.at(-1)];
  expect(first).toBeGreaterThan(inDays(start, 30).getTime());
  expect(last).toBeLessThan(inDays(start, 62).getTime());
  // The probability that all eight fall within one day is below one in a billion.
  expect(last - first).toBeGreaterThan(DAY_MS);
  expect(await disputes(site)).toHaveLength(1);
  site.time.now = inDays(start, 62);
  await runHolding(site);
  expect(await disputes(site)).toEqual([]);
});

test('each held review is a separate case, which does not mention the dispute', async ({
  site,
}) => {
  const { reviews, loser, owner, npi } = await loserWith(site, 3);
  const held = await holdDue(site, reviews);
  expect(held.map(({ id }) => id).toSorted()).toEqual(reviews.toSorted());
  const cases = await openCases(site);
  expect(cases.map(({ review }) => review.id).toSorted()).toEqual(reviews.toSorted());
  const days = new Map(held.map(({ id, at }) => [id, at.toISOString().slice(0, 10)]));
  for (const { review, reports } of cases) {
    expect(review.removed_reason).toBe('A moderator is going to look at this review.');
    const reported_on = days.get(review.id);
    expect(reports).toEqual([{ reason: 'not_genuine', note: '', reported_on }]);
  }
  const text = JSON.stringify(cases);
  for (const word of [loser.userId, owner.userId, npi, loser.email, 'author', 'dispute', 'npi']) {
    expect(text).not.toContain(word);
  }
  // Like any report: a different word would reveal forever which reviews a dispute hid.
  const log = await site.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .execute();
  const receipt = { actor: 'reader', action: 'report.receive', details: { reason: 'not_genuine' } };
  expect(log).toEqual(Array(3).fill(receipt));
});

test.for(['restore', 'keep'] as const)(
  'a review that a moderator republishes is not held again, and looks like any kept review: %s',
  async (act, { site }) => {
    const { reviews } = await loserWith(site, 3);
    const [first] = await timesOf(site, reviews);
    if (!first) throw new Error('nothing is to be held');
    await holdDue(site, reviews, first.at);
    expect(await publishedOf(site, reviews)).not.toContain(first.id);
    expect(await republish(site, first.id, act)).toMatchObject({
      review: { removed_reason: null },
      reports: [],
    });
    const log = site.deps.db.selectFrom('audit_log').selectAll().where('actor', '<>', 'reader');
    expect(await log.execute()).toMatchObject([{ action: 'review.keep', subject: first.id }]);
    await holdDue(site, reviews);
    expect(await publishedOf(site, reviews)).toEqual([first.id]);
  },
);

test("a review that a moderator removes for good stays removed, with the moderator's reason", async ({
  site,
}) => {
  const { reviews } = await loserWith(site, 1);
  await holdDue(site, reviews);
  const removal = { reason: 'Not a review' };
  const at = { params: { id: reviews[0] ?? '' } };
  const { body } = await site.as(await site.admin()).post(moderationEndpoints.remove, removal, at);
  expect(body).toMatchObject({ review: { removed_reason: removal.reason }, reports: [] });
  expect(await openCases(site)).toEqual([]);
});

test('every review is held within the month, however many there are', async () => {
  const dispute = { since: '2026-11-22', seed: 'the same in every run' };
  const times = Array.from({ length: 20_000 }, (_, at) => timeToHold(dispute, `review ${at}`));
  expect(new Set(times).size).toBe(times.length);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const start = Date.parse('2026-12-23');
  expect(first).toBeGreaterThanOrEqual(start);
  expect(last).toBeLessThan(start + 30 * DAY_MS);
  // Uniform: the first third of the month has a third, within seven standard deviations.
  const early = times.filter((at) => at < start + 10 * DAY_MS).length;
  expect(Math.abs(early - 20_000 / 3)).toBeLessThan(7 * Math.sqrt((20_000 * 2) / 9));
});

test('after an outage, overdue reviews are not held one right after the other', async ({
  site,
}) => {
  const start = site.time.now;
  const { reviews } = await loserWith(site, 10);
  // Everything is over a month late. In 60 minutes, 0.04 reviews are held on average.
  for (let minute = 0; minute < 60; minute += 1) {
    site.time.now = new Date(inDays(start, 95).getTime() + minute * MINUTE_MS);
    await runHolding(site);
  }
  // The probability of five or more is below one in a billion.
  expect((await publishedOf(site, reviews)).length).toBeGreaterThan(5);
  expect(await disputes(site)).toHaveLength(1);
});

test('proving the NPI within 30 days waits for an administrator, and no review is held', async ({
  site,
}) => {
  const { reviews, loser } = await loserWith(site, 3);
  const lost = site.time.now;
  site.time.now = inDays(lost, 20);
  await prove(site, loser);
  expect(await holdDue(site, reviews)).toEqual([]);

  const refused = inDays(lost, 70);
  site.time.now = refused;
  await setPermission(site.deps, DECISION, loser.userId, 'verified', false);
  await runHolding(site);
  // The refusal restarts the period.
  expect(await publishedOf(site, reviews)).toHaveLength(3);
  const times = (await timesOf(site, reviews)).map(({ at }) => at);
  expect(Math.min(...times)).toBeGreaterThan(inDays(refused, 30).getTime());
  expect(await holdDue(site, reviews)).toHaveLength(3);
  expect(await publishedOf(site, reviews)).toEqual([]);
});

test('refusing an account that has proven nothing does not restart the month', async ({ site }) => {
  const { reviews, loser } = await loserWith(site, 4);
  const times = await timesOf(site, reviews);
  const second = times[1]?.at ?? 0;
  await holdDue(site, reviews, second);
  for (const { id } of times.slice(0, 2)) await republish(site, id);
  await setPermission(site.deps, DECISION, loser.userId, 'verified', false);
  await holdDue(site, reviews);
  const left = times.slice(0, 2).map(({ id }) => id);
  expect((await publishedOf(site, reviews)).toSorted()).toEqual(left.toSorted());
});

test('banning an account that lost the NPI and has proven it as well gets its reviews held', async ({
  site,
}) => {
  const { reviews, loser } = await loserWith(site, 3);
  await prove(site, loser);
  await ban(site.deps, DECISION, loser.userId);
  await holdDue(site, reviews);
  expect(await publishedOf(site, reviews)).toEqual([]);
});

test('verifying the losing account ends the dispute', async ({ site }) => {
  const { reviews, loser, owner } = await loserWith(site, 2);
  await setPermission(site.deps, DECISION, loser.userId, 'verified', true);
  expect((await disputes(site)).map(({ userId }) => userId)).toEqual([owner.userId]);
  await holdDue(site, reviews);
  expect(await publishedOf(site, reviews)).toHaveLength(2);
});

test('a losing account that is deleted has its reviews deleted as its owner chose', async ({
  site,
}) => {
  const start = site.time.now;
  const { reviews, loser } = await loserWith(site, 3);
  expect((await leave(site, loser, 'delete_gradually')).status).toBe(200);
  site.time.now = inDays(start, 32);
  // Each run deletes a tenth of the due reviews, and at least one.
  for (let times = 0; times < 3; times += 1) {
    await site.deps.jobs.enqueue(site.deps.db, 'reviews-due', {});
    await site.jobs.idle();
  }
  expect(await publishedOf(site, reviews)).toEqual([]);
  await runHolding(site);
  expect(await disputes(site)).toEqual([]);
  expect(await openCases(site)).toEqual([]);
});

test('scheduled reviews of a losing account are held like others, once they are public', async ({
  site,
}) => {
  const start = site.time.now;
  const { reviews } = await loserWith(site, 3, { publish: 'later' });
  site.time.now = inDays(start, 4);
  await publishScheduled(site.deps);
  expect(await publishedOf(site, reviews)).toHaveLength(3);
  await holdDue(site, reviews);
  expect(await publishedOf(site, reviews)).toEqual([]);
});

test('rotating the authorship key during the month changes nothing', async () => {
  const site = await newSite(REGISTRY);
  const { reviews } = await loserWith(site, 4);
  const times = await timesOf(site, reviews);
  await holdDue(site, reviews, times[1]?.at);
  const { deps } = site;
  const { secrets } = deps.config;
  const next = { ...secrets, authorship: [freshKey(), ...secrets.authorship] };
  deps.keys.replace(next);
  const config = { ...deps.config, secrets: next };
  const { code } = await curbside({ deps: { ...deps, config } }, ['authorship', 'rotate']);
  expect(code).toBe(0);
  // The old key is removed.
  deps.keys.replace({ ...next, authorship: next.authorship.slice(0, 1) });
  expect(await timesOf(site, reviews)).toEqual(times);
  await holdDue(site, reviews);
  expect(await publishedOf(site, reviews)).toEqual([]);
  expect(await openCases(site)).toHaveLength(4);
});

test('any change of a dispute reseals all disputes, under new ids and in one transaction', async ({
  site,
}) => {
  const rows = async () => {
    const { rows } = await site.deps.database.pool.query<Record<'id' | 'sealed' | 'xmin', string>>(
      `select id, encode(sealed, 'hex') as sealed, xmin::text from npi_disputes`,
    );
    return rows;
  };
  const losers = [await loserWith(site, 1), await loserWith(site, 1), await loserWith(site, 1)];
  const before = await rows();
  expect(new Set(before.map(({ sealed }) => sealed.length)).size).toBe(1);
  const times = (await disputes(site)).flatMap((dispute) => {
    const lost = losers.find(({ loser }) => loser.userId === dispute.userId)?.reviews ?? [];
    return lost.map((id) => timeToHold(dispute, id));
  });
  // The probability that two are due in this millisecond is below one in a billion.
  site.time.now = new Date(Math.ceil(Math.min(...times)));
  await runHolding(site);
  const reviews = losers.flatMap((one) => one.reviews);
  expect(await publishedOf(site, reviews)).toHaveLength(2);
  const after = await rows();
  expect(new Set(after.map(({ xmin }) => xmin)).size).toBe(1);
  for (const { id, sealed } of before) {
    expect(after.map((row) => row.id)).not.toContain(id);
    expect(after.map((row) => row.sealed)).not.toContain(sealed);
  }
});
