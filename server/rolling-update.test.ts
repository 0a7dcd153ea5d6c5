import { expect, test } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints } from '#contract/endpoints/feedback.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewOf } from './testing/factories.ts';
import { newSite } from './testing/site.ts';

test('an old server continues to write and read reviews while its tables get new columns', async () => {
  const site = await newSite();
  const { database } = site.deps;
  // A single connection, so it has prepared every statement.
  database.pool.options.max = 1;
  const [author, reader] = [site.as(await site.doctor()), site.as(await site.doctor())];
  const [first, second] = [await site.employer(), await site.employer()];
  const { create, edit, listOwn, read, delete: remove } = reviewEndpoints;
  const everything = async () => {
    const later = { ...reviewOf(second), publish: 'later' as const };
    const { id } = (await author.post(create, reviewOf(first))).body;
    const scheduled = (await author.post(create, later)).body;
    expect((await author.post(create, reviewOf(first))).status).toBe(400);
    expect((await author.post(create, later)).status).toBe(400);
    const { publish: _, ...changed } = { ...later, overall_rating: 2 };
    for (const params of [{ id }, scheduled]) {
      const answer = await author.patch(edit, changed, { params: { id: params.id } });
      expect([200, 400], answer.text).toContain(answer.status);
    }
    expect((await reader.post(castVoteEndpoints.helpful, { params: { id } })).status).toBe(200);
    expect((await author.get(listOwn)).body).toHaveLength(2);
    const query = { ids: `${first},${second}`, specialty: 'Nephrology' };
    expect((await author.get(employerEndpoints.compare, { query })).status).toBe(200);
    expect((await author.get(read, { params: { id } })).status).toBe(200);
    for (const one of [id, scheduled.id]) {
      expect((await author.delete(remove, { params: { id: one } })).status).toBe(204);
    }
  };
  await everything();
  const tables = [
    'scheduled_reviews',
    'reviews',
    'review_authors',
    'employers',
    'review_votes',
    'doctors',
    'users',
  ];
  for (const table of tables) {
    await database.background.pool.query(`alter table ${table} add column next text`);
    await everything();
  }
});
