import { accountEndpoints } from '#contract/endpoints/account.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import {
  castVoteEndpoints as cast,
  feedbackEndpoints,
  takeVoteBackEndpoints as takeBack,
} from '#contract/endpoints/feedback.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { FEEDBACK_MESSAGES } from '#contract/reviews/review-feedback.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { listedReview } from '#server/features/reviews/testing/moderation.ts';
import { at, test as base, type Client, expect, invalid, type Site } from '#server/testing/site.ts';
import { castVote } from './votes-and-reports.ts';

const { report, ownVotes } = feedbackEndpoints;
const VOTES = ['helpful', 'not_helpful'] as const;
const newReader = async (site: Site) => site.as(await site.doctor({ verified: true }));

const test = base
  .extend('account', ({ site }) => site.doctor())
  .extend('author', ({ site, account }) => site.as(account))
  .extend('reader', ({ site }) => newReader(site))
  .extend('another', ({ site }) => newReader(site))
  .extend('unverified', async ({ site }) => site.as(await site.doctor({})))
  .extend('review', ({ site, account }) => site.review({ by: account }));

/** The counts in the database, which are not public. */
const countsOf = async (site: Site, { id }: Review) =>
  (await site.rows('reviews', { id }, ['helpful_count', 'not_helpful_count']))[0];
const votesFor = (site: Site, { id }: Review) =>
  site.rows('review_votes', { review_id: id }, ['helpful']);

test('simultaneous votes of a reader count once', async ({ site, reader, another, review }) => {
  const { id, employer } = review;
  const shown = async () => {
    const { body } = await site.visitor().get(employerEndpoints.reviews, at(employer.id));
    return body.results[0]?.helpful_count;
  };
  expect(await shown()).toBe(0);
  const voters = [reader, reader, reader, another];
  const answers = await Promise.all(voters.map((voter) => voter.post(cast.helpful, at(id))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await shown()).toBe(2);
  const again = await another.post(cast.helpful, at(id));
  expect(again.body).toEqual({ vote: 'helpful', helpful_count: 2 });
  for (const _ of [1, 2]) {
    const taken = await another.delete(takeBack.helpful, at(id));
    expect(taken.body).toEqual({ vote: null, helpful_count: 1 });
  }
  expect(await shown()).toBe(1);
});

test('opposite votes replace each other', async ({ site, reader, another, review }) => {
  await another.post(cast.not_helpful, at(review.id));
  const steps = [
    [cast.helpful, 'helpful', 1, 1],
    [cast.not_helpful, 'not_helpful', 0, 2],
    [cast.not_helpful, 'not_helpful', 0, 2],
    [takeBack.helpful, 'not_helpful', 0, 2],
    [cast.helpful, 'helpful', 1, 1],
    [takeBack.not_helpful, 'helpful', 1, 1],
    [takeBack.helpful, null, 0, 1],
    [takeBack.helpful, null, 0, 1],
    [cast.not_helpful, 'not_helpful', 0, 2],
    [takeBack.not_helpful, null, 0, 1],
  ] as const;
  for (const [step, vote, helpful_count, not_helpful_count] of steps) {
    const { body } = await (step.method === 'POST'
      ? reader.post(step, at(review.id))
      : reader.delete(step, at(review.id)));
    expect(body).toEqual({ vote, helpful_count });
    expect(await countsOf(site, review)).toEqual({ helpful_count, not_helpful_count });
  }
});

test('many opposite votes at once leave one vote', async ({ site, reader, another, review }) => {
  await another.post(cast.helpful, at(review.id));
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(VOTES.map((vote) => reader.post(cast[vote], at(review.id))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const votes = await votesFor(site, review);
    expect(votes).toHaveLength(2);
    const helpful_count = votes.filter(({ helpful }) => helpful).length;
    const not_helpful_count = 2 - helpful_count;
    expect(await countsOf(site, review)).toEqual({ helpful_count, not_helpful_count });
  }
  await Promise.all(
    [...VOTES, ...VOTES, ...VOTES].map((vote) => reader.delete(takeBack[vote], at(review.id))),
  );
  expect(await countsOf(site, review)).toEqual({ helpful_count: 1, not_helpful_count: 0 });
});

test('a constraint allows one vote per person, even without the lock', async ({ site, review }) => {
  const { db, keys } = site.deps;
  const voter = keys.deedKeys('vote', crypto.randomUUID(), review.id);
  // Simultaneous, and without the lock that requests take.
  await Promise.all(
    [true, false, true, false].map((helpful) =>
      castVote(db, { reviewId: review.id, voter, helpful }),
    ),
  );
  const votes = await votesFor(site, review);
  expect(votes).toHaveLength(1);
  const helpful_count = votes[0]?.helpful ? 1 : 0;
  const not_helpful_count = 1 - helpful_count;
  expect(await countsOf(site, review)).toEqual({ helpful_count, not_helpful_count });
});

test('nobody can see the not helpful count', async ({ site, account, author, reader, another }) => {
  const name = `Disliked ${crypto.randomUUID().slice(0, 8)}`;
  const review = await site.review({ by: account, at: await site.employer({ name }) });
  const [visitor, admin] = [site.visitor(), site.as(await site.admin())];
  await reader.post(report, { reason: 'other' }, at(review.id));
  const seen = async () => {
    const texts = await Promise.all([
      visitor.get(reviewEndpoints.read, at(review.id)),
      visitor.get(reviewEndpoints.list, { query: { search: name } }),
      visitor.get(employerEndpoints.read, at(review.employer.id)),
      visitor.get(employerEndpoints.reviews, at(review.employer.id)),
      author.get(reviewEndpoints.listOwn),
      author.get(accountEndpoints.export),
    ]);
    return [...texts.map(({ body }) => body), await listedReview(admin, review.id)];
  };
  const before = await seen();
  expect(before[1]).toMatchObject({ count: 1 });
  for (const one of [reader, another]) await one.post(cast.not_helpful, at(review.id));
  expect(await countsOf(site, review)).toEqual({ helpful_count: 0, not_helpful_count: 2 });
  expect(await seen()).toEqual(before);
});

test('rejects votes for and reports of the own review', async ({ author, review: { id } }) => {
  for (const { problem } of [
    await author.post(cast.helpful, at(id)),
    await author.delete(takeBack.helpful, at(id)),
    await author.post(cast.not_helpful, at(id)),
    await author.delete(takeBack.not_helpful, at(id)),
    await author.post(report, { reason: 'other' }, at(id)),
  ]) {
    expect(problem).toMatchObject({ status: 403, code: 'own_review' });
  }
});

test('only verified doctors can vote, and only for existing reviews', async ({
  site,
  account,
  reader,
  unverified,
  review,
}) => {
  const removed = await site.review({ by: account });
  await site.change('reviews', { id: removed.id }, { removed_reason: 'Removed.' });
  const statuses = async (by: Client, id: string) => [
    (await by.post(cast.helpful, at(id))).status,
    (await by.post(cast.not_helpful, at(id))).status,
    (await by.delete(takeBack.helpful, at(id))).status,
    (await by.delete(takeBack.not_helpful, at(id))).status,
  ];
  for (const [by, id, status] of [
    [site.visitor(), review.id, 401],
    [unverified, review.id, 403],
    [reader, crypto.randomUUID(), 404],
    [reader, removed.id, 404],
    [reader, '7', 400],
  ] as const) {
    expect(await statuses(by, id)).toEqual(Array(4).fill(status));
  }
});

test('one report per account, with a reason', async ({ site, reader, unverified, review }) => {
  const { id } = review;
  expect((await site.visitor().post(report, { reason: 'other' }, at(id))).status).toBe(401);
  expect((await reader.post(report, invalid({ reason: 'dislike' }), at(id))).status).toBe(400);
  const long = { reason: 'other', note: 'x'.repeat(501) } as const;
  expect((await reader.post(report, long, at(id))).status).toBe(400);
  const rude = { reason: 'abusive', note: ' Rude. ' } as const;
  const answers = await Promise.all([1, 2].map(() => unverified.post(report, rude, at(id))));
  for (const { body } of answers) expect(body).toEqual({ message: FEEDBACK_MESSAGES.reported });
  const stored = { reason: 'abusive', note: 'Rude.', closed: false };
  expect(await site.rows('review_reports', { review_id: id })).toMatchObject([stored]);
});

test('shows only own feedback', async ({ site, account, author, reader, another, review }) => {
  const other = await site.review({ by: account });
  const both = { query: { ids: `${review.id},${other.id},${crypto.randomUUID()}` } };
  expect((await site.visitor().get(ownVotes, both)).status).toBe(401);
  expect((await reader.get(ownVotes, { query: { ids: '1' } })).status).toBe(400);
  await reader.post(report, { reason: 'other' }, at(review.id));
  await reader.post(cast.helpful, at(review.id));
  await reader.post(cast.not_helpful, at(other.id));
  const own = await reader.get(ownVotes, both);
  expect(own.headers['cache-control']).toBe('no-store, no-transform');
  expect(own.body).toEqual({
    own: [],
    helpful: [review.id],
    not_helpful: [other.id],
    reported: [review.id],
  });
  const nothing = { own: [], helpful: [], not_helpful: [], reported: [] };
  expect((await another.get(ownVotes, both)).body).toEqual(nothing);
  const { own: written, ...rest } = (await author.get(ownVotes, both)).body;
  expect(new Set(written)).toEqual(new Set([review.id, other.id]));
  expect({ own: [], ...rest }).toEqual(nothing);
});

test('keys of votes and reports match no others', async ({ site, account, reader, review }) => {
  const ids = [review.id, (await site.review({ by: account })).id];
  for (const id of ids) {
    await reader.post(cast.helpful, at(id));
    await reader.post(report, { reason: 'other' }, at(id));
  }
  const { rows } = await site.deps.database.pool.query<{ key: Buffer }>(
    `select voter_key as key from review_votes where review_id = any($1)
     union all select reporter_key from review_reports where review_id = any($1)
     union all (select distinct author_key from review_authors where review_id = any($1))`,
    [ids],
  );
  expect(new Set(rows.map(({ key }) => key.toString('hex'))).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(4);
});
