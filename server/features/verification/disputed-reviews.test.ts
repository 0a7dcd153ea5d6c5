import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { curbside } from '#server/cli/testing/curbside.ts';
import { PASSWORD, send } from '#server/features/accounts/testing/account-flows.ts';
import { publishScheduled } from '#server/features/reviews/scheduled/publish-scheduled.ts';
import { freshKey } from '#server/stored-secrets.ts';
import { ban, setPermission } from './administration.ts';
import { openDisputes, timeToHold } from './disputes.ts';
import { prove, serverWith } from './testing/claimants.ts';
import {
  decide,
  holdDue,
  inDays,
  loserWith,
  openCases,
  publishedOf,
  runHolding,
  timesOf,
} from './testing/disputes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DECISION = { actor: 'cli', reason: 'no badge' };

test('reviews by an account that lost its NPI stay for 30 days, then are held one by one within a month', async () => {
  await using server = await serverWith('registry');
  const start = server.time.now;
  const { reviews } = await loserWith(server, 8);
  const held: number[] = [];
  const at = async (days: number) => {
    server.time.now = inDays(start, days);
    await runHolding(server);
    return (await publishedOf(server, reviews)).length;
  };
  for (let day = 0; day <= 30; day += 1) expect(await at(day)).toBe(reviews.length);
  let left = reviews.length;
  // More than once an hour, because the job treats longer delays as an outage.
  for (let day = 30; day < 63; day += 50 / (24 * 60)) {
    // Two may be due in one step. The next run then holds the other.
    for (let published = await at(day); published < left; published = await at(day)) {
      expect(left - published).toBe(1);
      held.push(day);
      left = published;
    }
  }
  expect(left).toBe(0);
  expect(held[0]).toBeGreaterThan(30);
  expect(held.at(-1)).toBeLessThan(62);
  // The probability that all eight fall within five days is one in a million.
  expect((held.at(-1) ?? 0) - (held[0] ?? 0)).toBeGreaterThan(5);
  expect(await openDisputes(server.deps.keys, server.deps.db)).toEqual([]);
});

test('each held review is a separate case, which does not mention the dispute', async () => {
  await using server = await serverWith('registry');
  const { reviews, loser, owner, npi } = await loserWith(server, 3);
  const held = await holdDue(server, reviews);
  expect(held.map(({ id }) => id).toSorted()).toEqual(reviews.toSorted());
  const cases = await openCases(server);
  expect(cases.map(({ review }) => review.id).toSorted()).toEqual(reviews.toSorted());
  const days = new Map(held.map(({ id, at }) => [id, at.toISOString().slice(0, 10)]));
  for (const { review, reports } of cases) {
    expect(review.removed_reason).toBe('A moderator is going to look at this review.');
    const reported_on = days.get(review.id);
    expect(reports).toEqual([{ reason: 'not_genuine', note: '', reported_on }]);
  }
  const text = JSON.stringify(cases);
  for (const word of [loser.id, owner.id, npi, loser.email, 'author', 'dispute', 'npi']) {
    expect(text).not.toContain(word);
  }
  // Like any report: a different word would reveal forever which reviews a dispute hid.
  const log = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .execute();
  const receipt = { actor: 'reader', action: 'report.receive', details: { reason: 'not_genuine' } };
  expect(log).toEqual(Array(3).fill(receipt));
});

test.each(['restore', 'keep'])(
  'a review that a moderator republishes is not held again, and looks like any kept review: %s',
  async (act) => {
    await using server = await serverWith('registry');
    const { reviews } = await loserWith(server, 3);
    const [first] = await timesOf(server, reviews);
    if (!first) throw new Error('nothing is to be held');
    await holdDue(server, reviews, first.at);
    expect(await publishedOf(server, reviews)).not.toContain(first.id);
    expect((await decide(server, first.id, act)).json()).toMatchObject({
      review: { removed_reason: null },
      reports: [],
    });
    const log = await server.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('actor', '<>', 'reader')
      .execute();
    expect(log).toMatchObject([{ action: 'review.keep', subject: first.id }]);
    await holdDue(server, reviews);
    expect(await publishedOf(server, reviews)).toEqual([first.id]);
  },
);

test("a review that a moderator removes for good stays removed, with the moderator's reason", async () => {
  await using server = await serverWith('registry');
  const { reviews } = await loserWith(server, 1);
  await holdDue(server, reviews);
  const [id = ''] = reviews;
  const removed = await decide(server, id, 'remove', { reason: 'Not a review' });
  expect(removed.json()).toMatchObject({ review: { removed_reason: 'Not a review' }, reports: [] });
  expect(await openCases(server)).toEqual([]);
});

test('every review is held within the month, however many there are', async () => {
  const dispute = { since: '2026-11-22', seed: randomBytes(16).toString('base64') };
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

test('after an outage, overdue reviews are not held one right after the other', async () => {
  await using server = await serverWith('registry');
  const start = server.time.now;
  const { reviews } = await loserWith(server, 20);
  // Everything is over a month late. In 120 minutes, 0.08 reviews are held on average.
  for (let minute = 0; minute < 120; minute += 1) {
    server.time.now = new Date(inDays(start, 95).getTime() + minute * 60_000);
    await runHolding(server);
  }
  // The probability of five or more is one in ten million.
  expect((await publishedOf(server, reviews)).length).toBeGreaterThan(15);
  expect(await openDisputes(server.deps.keys, server.deps.db)).toHaveLength(1);
});

test('proving the NPI within 30 days waits for an administrator, and no review is held', async () => {
  await using server = await serverWith('registry');
  const { reviews, loser } = await loserWith(server, 3);
  const lost = server.time.now;
  server.time.now = inDays(lost, 20);
  await prove(server, loser);
  expect(await holdDue(server, reviews)).toEqual([]);

  const refused = inDays(lost, 70);
  server.time.now = refused;
  await setPermission(server.deps, DECISION, loser.id, 'verified', false);
  await runHolding(server);
  // The refusal restarts the period.
  expect(await publishedOf(server, reviews)).toHaveLength(3);
  const times = (await timesOf(server, reviews)).map(({ at }) => at);
  expect(Math.min(...times)).toBeGreaterThan(inDays(refused, 30).getTime());
  expect(await holdDue(server, reviews)).toHaveLength(3);
  expect(await publishedOf(server, reviews)).toEqual([]);
});

test('refusing an account that has proven nothing does not restart the month', async () => {
  await using server = await serverWith('registry');
  const { reviews, loser } = await loserWith(server, 4);
  const times = await timesOf(server, reviews);
  const second = times[1]?.at ?? 0;
  await holdDue(server, reviews, second);
  for (const { id } of times.slice(0, 2)) await decide(server, id, 'restore');
  await setPermission(server.deps, DECISION, loser.id, 'verified', false);
  await holdDue(server, reviews);
  const left = await publishedOf(server, reviews);
  expect(left.toSorted()).toEqual(
    times
      .slice(0, 2)
      .map(({ id }) => id)
      .toSorted(),
  );
});

test('banning an account that lost the NPI and has proven it as well gets its reviews held', async () => {
  await using server = await serverWith('registry');
  const { reviews, loser } = await loserWith(server, 3);
  await prove(server, loser);
  await ban(server.deps, DECISION, loser.id);
  await holdDue(server, reviews);
  expect(await publishedOf(server, reviews)).toEqual([]);
});

test('verifying the losing account ends the dispute', async () => {
  await using server = await serverWith('registry');
  const { reviews, loser, owner } = await loserWith(server, 2);
  await setPermission(server.deps, DECISION, loser.id, 'verified', true);
  const disputes = await openDisputes(server.deps.keys, server.deps.db);
  expect(disputes.map(({ userId }) => userId)).toEqual([owner.id]);
  await holdDue(server, reviews);
  expect(await publishedOf(server, reviews)).toHaveLength(2);
});

test('a losing account that is deleted has its reviews deleted as its owner chose', async () => {
  await using server = await serverWith('registry');
  const start = server.time.now;
  const { reviews, loser } = await loserWith(server, 3);
  const chosen = { password: PASSWORD, reviews: 'delete_gradually' };
  expect((await send(server, '/auth/delete-account/', chosen, loser)).statusCode).toBe(200);
  server.time.now = inDays(start, 32);
  // Each run deletes a tenth of the due reviews, and at least one.
  for (let times = 0; times < 3; times += 1) {
    await server.deps.jobs.enqueue(server.deps.db, 'reviews-due', {});
    await server.jobs.idle();
  }
  expect(await publishedOf(server, reviews)).toEqual([]);
  await runHolding(server);
  expect(await openDisputes(server.deps.keys, server.deps.db)).toEqual([]);
  expect(await openCases(server)).toEqual([]);
});

test('scheduled reviews of a losing account are held like others, once they are public', async () => {
  await using server = await serverWith('registry');
  const start = server.time.now;
  const { reviews } = await loserWith(server, 3, { publish: 'later' });
  server.time.now = inDays(start, 4);
  await publishScheduled(server.deps);
  expect(await publishedOf(server, reviews)).toHaveLength(3);
  await holdDue(server, reviews);
  expect(await publishedOf(server, reviews)).toEqual([]);
});

test('rotating the authorship key during the month changes nothing', async () => {
  await using server = await serverWith('registry');
  const { reviews } = await loserWith(server, 4);
  const times = await timesOf(server, reviews);
  await holdDue(server, reviews, times[1]?.at);
  const { deps } = server;
  const { secrets } = deps.config;
  const next = { ...secrets, authorship: [freshKey(), ...secrets.authorship] };
  deps.keys.replace(next);
  const config = { ...deps.config, secrets: next };
  const { code } = await curbside({ deps: { ...deps, config } }, ['authorship', 'rotate']);
  expect(code).toBe(0);
  // The old key is removed.
  deps.keys.replace({ ...next, authorship: next.authorship.slice(0, 1) });
  expect(await timesOf(server, reviews)).toEqual(times);
  await holdDue(server, reviews);
  expect(await publishedOf(server, reviews)).toEqual([]);
  expect(await openCases(server)).toHaveLength(4);
});

test('any change of a dispute reseals all disputes, under new ids and in one transaction', async () => {
  await using server = await serverWith('registry');
  const rows = async () => {
    const { rows } = await server.deps.database.pool.query<
      Record<'id' | 'sealed' | 'xmin', string>
    >(`select id, encode(sealed, 'hex') as sealed, xmin::text from npi_disputes`);
    return rows;
  };
  const losers = [
    await loserWith(server, 1),
    await loserWith(server, 1),
    await loserWith(server, 1),
  ];
  const before = await rows();
  expect(new Set(before.map(({ sealed }) => sealed.length)).size).toBe(1);
  const all = losers.flatMap(({ reviews }) => reviews);
  const ours = new Set(all);
  const [first] = (await openDisputes(server.deps.keys, server.deps.db))
    .flatMap((dispute) => all.map((id) => ({ dispute, id, at: timeToHold(dispute, id) })))
    .filter(({ dispute, id }) =>
      losers.some(({ loser, reviews }) => loser.id === dispute.userId && reviews.includes(id)),
    )
    .toSorted((one, other) => one.at - other.at);
  server.time.now = new Date((first?.at ?? 0) + 60_000);
  await runHolding(server);
  expect((await publishedOf(server, [...ours])).length).toBe(2);
  const after = await rows();
  expect(new Set(after.map(({ xmin }) => xmin)).size).toBe(1);
  for (const { id, sealed } of before) {
    expect(after.map((row) => row.id)).not.toContain(id);
    expect(after.map((row) => row.sealed)).not.toContain(sealed);
  }
});
