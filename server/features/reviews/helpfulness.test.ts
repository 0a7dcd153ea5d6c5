import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

let server: TestApp;

beforeAll(async () => {
  server = await buildTestApp();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Adds this many votes of each kind, all by different people. */
async function vote(reviewId: string, good: number, bad: number) {
  const { database, cache } = server.deps;
  await database.pool.query(
    `insert into review_votes
     select $1, sha256(uuid_send(gen_random_uuid())), n <= $2 from generate_series(1, $3) as n`,
    [reviewId, good, good + bad],
  );
  cache.changed(['votes']);
}

test('sorts by most helpful once enough readers have voted', async () => {
  const { headers } = await signedInDoctor(server);
  const employer = await newEmployer(server);
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
    server.time.now = new Date(server.time.now.getTime() + 60_000);
    const payload = reviewOf(employer, {
      position_title: `Fellow ${good} ${bad}`,
      review_text: JSON.stringify([good, bad]),
    });
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/reviews/',
      headers,
      payload,
    });
    await vote(answer.json<Review>().id, good, bad);
  }
  for (const url of ['/api/reviews/', `/api/employers/${employer}/reviews/`]) {
    const answer = await server.app.inject({ url, query: { ordering: '-helpful' } });
    const { results } = answer.json<{ results: Review[] }>();
    expect(results.map(({ review_text }) => JSON.parse(review_text))).toEqual([
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

test.each([
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
])('with %i good votes of %i, the lower bound is %f', async (good, total, bound) => {
  const { rows } = await server.deps.database.pool.query<{ bound: number }>(
    'select wilson_lower_bound($1, $2) as bound',
    [good, total],
  );
  expect(rows[0]?.bound).toBeCloseTo(bound, 4);
});
