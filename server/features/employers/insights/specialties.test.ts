import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { expect, newSite, test } from '#server/testing/site.ts';

const NEUROLOGIST = { position_title: 'Neurologist' };

test("a specialty's averages appear with its third review", async ({ site }) => {
  const [at, author] = [await site.employer(), await site.doctor()];
  const insights = async (specialty?: string) => {
    const of = { params: { id: at }, query: { specialty } };
    return (await site.visitor().get(employerEndpoints.insights, of)).body;
  };
  const neurology = async () => (await insights('Neurology')).subgroup;
  await site.review({ at, position_title: 'Hospitalist', overall_rating: 1 });
  await site.review({ at, ...NEUROLOGIST, overall_rating: 5, immigration_support_rating: 4 });
  await site.review({ at, ...NEUROLOGIST, overall_rating: 4, would_recommend: false });
  const hidden = await neurology();
  const last = await site.review({ by: author, at, ...NEUROLOGIST, overall_rating: 4 });
  const shown = await neurology();
  expect(shown).toEqual({
    specialty: 'Neurology',
    total_reviews: 3,
    recommend_share: 0.6667,
    overall_rating: 4.3333,
    avg_work_life_balance_rating: 3,
    avg_mentorship_growth_rating: 4,
    avg_team_collaboration_rating: 5,
    avg_compensation_benefits_rating: 2,
    // Only one of them rated it.
    avg_immigration_support_rating: null,
    immigration_answers: 1,
  });
  expect((await insights()).specialties).toEqual([
    { specialty: 'Neurology', count: 3 },
    { specialty: 'Hospital Medicine', count: 1 },
  ]);
  await site.as(author).delete(reviewEndpoints.delete, { params: { id: last.id } });
  expect(await neurology()).toEqual(hidden);
  const nothing = Object.fromEntries(Object.keys(shown ?? {}).map((name) => [name, null]));
  expect(hidden).toEqual({
    ...nothing,
    ...{ specialty: 'Neurology', total_reviews: 2, immigration_answers: 1 },
  });
});

test('positions are counted in the specialty, the most common there first', async ({ site }) => {
  const at = await site.employer();
  const titles = async (specialty?: string) => {
    const of = { params: { id: at }, query: { specialty } };
    const { body } = await site.visitor().get(employerEndpoints.insights, of);
    expect(body).toMatchObject({ total_reviews: 4, recent: { total_reviews: 4 } });
    return body.position_titles.map(({ title, count }) => [title, count]);
  };
  for (let review = 0; review < 2; review += 1) await site.review({ at });
  await site.review({ at, ...NEUROLOGIST });
  await site.review({ at, specialty: 'Neurology' });
  expect(await titles()).toEqual([
    ['Hospitalist', 3],
    ['Neurologist', 1],
  ]);
  expect(await titles('Hospital Medicine')).toEqual([
    ['Hospitalist', 2],
    ['Neurologist', 0],
  ]);
  expect(await titles('Neurology')).toEqual([
    ['Hospitalist', 1],
    ['Neurologist', 1],
  ]);
});

test('the directory finds employers with reviews in a specialty, and its programs', async () => {
  const site = await newSite();
  const [hospital, other] = [await site.employer(), await site.employer()];
  const author = await site.doctor();
  const program = await site.employer({ employer_type: 'residency', specialty: 'Neurology' });
  await site.review({ at: other, position_title: 'Hospitalist' });
  const { id } = await site.review({ by: author, at: hospital, ...NEUROLOGIST });
  const specialty = 'Neurology';
  const find = async (query: object) =>
    (await site.visitor().get(employerEndpoints.list, { query })).body;
  const found = async (criteria: object = {}) => {
    const { count, results } = await find({ specialty, ...criteria });
    expect(count).toBe(results.length);
    return results.map(({ id }) => id).toSorted((a, b) => a - b);
  };
  expect(await found()).toEqual([hospital, program]);
  const { results } = await find({ specialty, ordering: '-total_reviews' });
  expect(results.map((one) => one.specialty_reviews)).toEqual([1, 0]);
  expect((await find({})).results[0]).not.toHaveProperty('specialty_reviews');
  expect(await found({ employer_type: 'residency' })).toEqual([program]);
  expect(await found({ search: 'hospital', state: 'IL' })).toEqual([hospital, program]);
  const choices = async () =>
    (await site.visitor().get(employerEndpoints.filterOptions)).body.specialties;
  expect(await choices()).toEqual(['Hospital Medicine', 'Neurology']);
  await site.as(author).delete(reviewEndpoints.delete, { params: { id } });
  expect(await found()).toEqual([program]);
  expect(await choices()).toEqual(['Hospital Medicine']);
});

test("a specialty's sums equal the totals of its reviews", async ({ site }) => {
  const [one, other] = [await site.employer(), await site.employer()];
  const author = await site.doctor();
  const { db, database } = site.deps;
  for (const overall_rating of [1, 4]) {
    await site.review({ at: one, ...NEUROLOGIST, overall_rating });
  }
  const moved = await site.review({ at: one, ...NEUROLOGIST, overall_rating: 5 });
  const rated = { ...NEUROLOGIST, immigration_support_rating: 2 };
  const { id } = await site.review({ by: author, at: other, ...rated });
  await site.as(author).delete(reviewEndpoints.delete, { params: { id } });
  await site.review({ at: other, position_title: 'Fellow', specialty: 'Nephrology' });
  await site.review({ at: other, position_title: 'Locum' });
  await site.change('reviews', { id: moved.id }, { employer_id: other });
  const rows = db.selectFrom('employer_specialties').where('employer_id', 'in', [one, other]);
  const sums = () => rows.selectAll().orderBy('specialty').orderBy('employer_id').execute();
  const kept = await sums();
  expect(kept.map(({ employer_id, specialty, total }) => [employer_id, specialty, total])).toEqual([
    [other, 'Nephrology', 1],
    [one, 'Neurology', 2],
    [other, 'Neurology', 1],
  ]);
  await database.pool.query('select employer_ratings_recompute(array(select id from employers))');
  expect(await sums()).toEqual(kept);
});
