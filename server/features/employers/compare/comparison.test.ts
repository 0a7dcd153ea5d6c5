import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints } from '#contract/endpoints/feedback.ts';
import { REVIEWS_OF_SPECIALTY } from '#contract/limits.ts';
import { expect, invalid, test as siteTest } from '#server/testing/site.ts';

const test = siteTest
  .extend('pair', async ({ site }) => [await site.employer(), await site.employer()] as const)
  .extend('ask', ({ site }) => (ids: unknown, specialty?: string) => {
    return site.visitor().get(employerEndpoints.compare, { query: invalid({ ids, specialty }) });
  })
  .extend('compare', ({ ask }) => async (ids: readonly number[], specialty?: string) => {
    return (await ask(ids, specialty)).body;
  });

test('keeps the requested order; reports unknown ids', async ({ site, pair: [a, b], compare }) => {
  await site.review({ at: b, overall_rating: 5, would_recommend: true });
  const { results, unknown_ids } = await compare([b, 999999, a, b]);
  expect(unknown_ids).toEqual([999999]);
  expect(results.map(({ employer }) => employer.id)).toEqual([b, a]);
  expect(results[0]?.figures).toMatchObject({
    overall_rating: { value: 5, reviews: 1 },
    would_recommend: { value: 1, reviews: 1 },
  });
  expect(results[0]?.newest_review_on).toBe(site.time.now.toISOString().slice(0, 10));
  const nothing = { newest_review_on: null, pro: null, con: null };
  const figures = { overall_rating: { value: null, reviews: 0 } };
  expect(results[1]).toMatchObject({ figures, ...nothing });
});

test('each figure has the number of reviews behind it', async ({ site, pair: [a, b], compare }) => {
  await site.review({ at: a, immigration_support_rating: 4, would_recommend: false });
  await site.review({ at: a, would_recommend: true });
  const { results } = await compare([a, b]);
  expect(results[0]?.figures).toMatchObject({
    work_life_balance_rating: { reviews: 2 },
    immigration_support_rating: { value: 4, reviews: 1 },
    would_recommend: { value: 0.5, reviews: 2 },
  });
});

test('compares and quotes only reviews of a specialty', async ({ site, pair: [a, b], compare }) => {
  const specialty = 'Neurology';
  for (const overall_rating of [2, 3, 4]) {
    await site.review({ at: a, specialty, overall_rating, pros: '', cons: 'Late scans' });
  }
  await site.review({ at: a, specialty: 'Dermatology', overall_rating: 5, pros: 'No call' });
  await site.review({ at: b, specialty });
  const { results, specialties } = await compare([a, b], specialty);
  expect(specialties).toEqual(['Dermatology', 'Neurology']);
  expect(results.map(({ figures }) => figures.overall_rating)).toEqual([
    { value: 3, reviews: REVIEWS_OF_SPECIALTY },
    { value: null, reviews: 1 },
  ]);
  expect(results[0]).toMatchObject({ pro: null, con: { excerpt: 'Late scans' } });
  const all = await compare([a, b]);
  expect(all.results[0]).toMatchObject({ pro: { excerpt: 'No call' } });
});

test('quotes the most helpful one with a pro or con', async ({ site, pair: [a, b], compare }) => {
  await site.review({ at: a, pros: 'Free parking', cons: 'Old wards' });
  const { id } = await site.review({ at: a, pros: 'Time to teach', cons: '' });
  await site.as(await site.doctor()).post(castVoteEndpoints.helpful, { params: { id } });
  const { results } = await compare([a, b]);
  expect(results[0]?.pro).toEqual({ review_id: id, excerpt: 'Time to teach' });
  expect(results[0]?.con?.excerpt).toBe('Old wards');
  // A removed review is not quoted.
  const removed = { removed_reason: 'Off topic' };
  await site.change('reviews', { id }, removed);
  site.deps.cache.changed(['reviews']);
  expect((await compare([a, b])).results[0]?.pro?.excerpt).toBe('Free parking');
});

const WRONG = [undefined, '', '1', '1,1', '1,2,3,4,5', '1,x', '1,99999999999', '0,1'];
test.for(WRONG)('rejects a comparison of %j', async (ids, { ask }) => {
  const { problem } = await ask(ids);
  expect([problem.status, Object.keys(problem.errors ?? {})]).toEqual([400, ['ids']]);
});
