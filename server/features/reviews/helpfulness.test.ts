import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { at, expect, type Site, test } from '#server/testing/site.ts';

/** Adds this many votes of each kind, all by different people. */
async function vote({ deps: { database, cache } }: Site, id: string, good: number, bad: number) {
  await database.pool.query(
    `insert into review_votes
     select $1, sha256(uuid_send(gen_random_uuid())), n <= $2 from generate_series(1, $3) as n`,
    [id, good, good + bad],
  );
  cache.changed(['votes']);
}

test('sorts by most helpful once enough readers have voted', async ({ site }) => {
  const by = await site.doctor();
  const city = `City ${crypto.randomUUID().slice(0, 8)}`;
  const employer = await site.employer({ city });
  // Oldest first.
  const posted = [
    [0, 1],
    [1, 0],
    [0, 30],
    [40, 5],
    [20, 80],
    [9, 0],
    [0, 0],
    [30, 30],
  ] as const;
  for (const [good, bad] of posted) {
    site.pass(60_000);
    const review_text = JSON.stringify([good, bad]);
    const position_title = `Fellow ${good} ${bad}`;
    const { id } = await site.review({ by, at: employer, position_title, review_text });
    await vote(site, id, good, bad);
  }
  const ordering = '-helpful';
  const visitor = site.visitor();
  for (const { body } of [
    await visitor.get(reviewEndpoints.list, { query: { ordering, city } }),
    await visitor.get(employerEndpoints.reviews, { ...at(employer), query: { ordering } }),
  ]) {
    expect(body.results.map(({ review_text }) => JSON.parse(review_text))).toEqual([
      [40, 5],
      [9, 0],
      [30, 30],
      [1, 0],
      [20, 80],
      // Reviews without helpful votes are not ranked among each other: newest first.
      [0, 0],
      [0, 30],
      [0, 1],
    ]);
  }
});

test.for([
  // R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), method 3.
  [81, 263, 0.2553],
  [15, 148, 0.0624],
  [0, 20, 0],
  [1, 29, 0.0061],
  // n / (n + 1.96²) if all votes are good.
  [1, 1, 0.2065],
  [10, 10, 0.7225],
  [0, 0, 0],
  [1_000_000, 1_000_000, 1],
  [500_000, 1_000_000, 0.499],
] as const)('with %i good votes of %i, the bound is %f', async ([good, total, bound], { site }) => {
  const { id } = await site.review();
  const { rows } = await site.deps.database.pool.query<{ bound: number }>(
    `update reviews set helpful_count = $2, not_helpful_count = $3 where id = $1
     returning helpful_score as bound`,
    [id, good, total - good],
  );
  expect(rows[0]?.bound).toBeCloseTo(bound, 4);
});
