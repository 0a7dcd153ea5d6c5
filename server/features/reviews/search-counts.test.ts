import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';
import { countMatches, sampleMatches } from './search-counts.ts';

const ALL = { page: 1, page_size: 20 };

test('a sample says that there are many only where there are', async () => {
  await using server = await buildTestApp();
  const { db } = server.deps;
  const employer = await newEmployer(server, { name: 'Cedar Valley Hospital' });
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    author_key: Buffer.concat([Buffer.alloc(30), Buffer.from([at >> 8, at & 255])]),
    employer_id: employer,
    created_at: new Date(Date.UTC(2024, 0, 1)),
    overall_rating: 3,
    work_life_balance_rating: 3,
    mentorship_growth_rating: 3,
    team_collaboration_rating: 3,
    compensation_benefits_rating: 3,
    // In every review, in every other, in every fourth, …
    review_text: ['all', 'half', 'fourth', 'eighth', 'rare']
      .filter((_word, n) => at % 2 ** n === 0)
      .join(' '),
    position_title: 'Hospitalist',
    start_year: 2020,
    is_current_employee: true,
    would_recommend: true,
    removed_reason: at % 50 === 0 ? 'Removed.' : null,
  }));
  await db.insertInto('reviews').values(rows).execute();
  const answers = new Set<boolean>();
  for (const word of ['all', 'half', 'fourth', 'eighth', 'rare', 'none']) {
    const published = rows.filter((row) => !row.removed_reason && row.review_text.includes(word));
    expect(await countMatches(db, ALL, word)).toBe(published.length);
    for (const max of [100, 200, 400, 800]) {
      const { about, isMost } = await sampleMatches(db, ALL, word, max);
      // By five standard deviations at most.
      expect(Math.abs(about - published.length)).toBeLessThan(
        5 * Math.sqrt(32 * published.length + 1),
      );
      if (isMost) expect(published.length).toBeGreaterThanOrEqual(max);
      answers.add(isMost);
    }
  }
  expect(answers).toEqual(new Set([true, false]));
});
