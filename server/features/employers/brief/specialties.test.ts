import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type {
  Employer,
  EmployerFilterOptions,
  EmployerInsights,
  ListedEmployer,
} from '#contract/employers.ts';
import type { Page } from '#contract/paging.ts';
import { EMPLOYERS } from '#server/features/employers/directory/directory-query.ts';
import { list } from '#server/listing/listing.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';
import { plansOf } from '#server/testing/plans.ts';

async function site() {
  const server = await buildTestApp();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const get = async <T>(path: string) =>
    (await server.app.inject({ url: `/api/employers/${path}` })).json<T>();
  const write = async (employer: number, fields: object) => {
    const { headers } = await signedInDoctor(server);
    const payload = { ...reviewOf(employer), ...fields };
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/reviews/',
      headers,
      payload,
    });
    expect(answer.statusCode, answer.body).toBe(201);
    return {
      drop: () =>
        server.app.inject({ method: 'DELETE', url: `/api/reviews/${answer.json().id}/`, headers }),
    };
  };
  const subgroup = async (employer: number, specialty = 'Neurology') =>
    (await get<EmployerInsights>(`${employer}/insights/?specialty=${specialty}`)).subgroup;
  return { server, get, write, subgroup };
}

const NEUROLOGIST = { position_title: 'Neurologist' };

test("a specialty's averages appear with its third review", async () => {
  const { server, write, subgroup, get } = await site();
  const employer = await newEmployer(server);
  await write(employer, { position_title: 'Hospitalist', overall_rating: 1 });
  await write(employer, { ...NEUROLOGIST, overall_rating: 5, immigration_support_rating: 4 });
  await write(employer, { ...NEUROLOGIST, overall_rating: 4, would_recommend: false });
  const hidden = {
    specialty: 'Neurology',
    total_reviews: 2,
    recommend_share: null,
    overall_rating: null,
    avg_work_life_balance_rating: null,
    avg_mentorship_growth_rating: null,
    avg_team_collaboration_rating: null,
    avg_compensation_benefits_rating: null,
    avg_immigration_support_rating: null,
  };
  expect(await subgroup(employer)).toEqual(hidden);
  const last = await write(employer, { ...NEUROLOGIST, overall_rating: 4 });
  expect(await subgroup(employer)).toEqual({
    ...hidden,
    total_reviews: 3,
    recommend_share: 0.6667,
    overall_rating: 4.3333,
    avg_work_life_balance_rating: 3,
    avg_mentorship_growth_rating: 4,
    avg_team_collaboration_rating: 5,
    avg_compensation_benefits_rating: 2,
    // Only one of them rated it.
    avg_immigration_support_rating: null,
  });
  const { specialties } = await get<EmployerInsights>(`${employer}/insights/`);
  expect(specialties).toEqual([
    { specialty: 'Neurology', count: 3 },
    { specialty: 'Hospital Medicine', count: 1 },
  ]);
  await last.drop();
  expect(await subgroup(employer)).toEqual(hidden);
});

test('the directory finds employers with reviews in a specialty, and its programs', async () => {
  const { server, write, get } = await site();
  const [hospital, other] = [await newEmployer(server), await newEmployer(server)];
  const program = await newEmployer(server, {
    employer_type: 'residency',
    specialty: 'Neurology',
  });
  await write(other, { position_title: 'Hospitalist' });
  const review = await write(hospital, NEUROLOGIST);
  const found = async (query: string) => {
    const { count, results } = await get<Page<Employer>>(`?${query}`);
    expect(count).toBe(results.length);
    return results.map(({ id }) => id).toSorted((a, b) => a - b);
  };
  expect(await found('specialty=Neurology')).toEqual([hospital, program]);
  const { results } = await get<Page<ListedEmployer>>(
    '?specialty=Neurology&ordering=-total_reviews',
  );
  expect(results.map((one) => one.specialty_reviews)).toEqual([1, 0]);
  expect((await get<Page<ListedEmployer>>('')).results[0]).not.toHaveProperty('specialty_reviews');
  expect(await found('specialty=Neurology&employer_type=residency')).toEqual([program]);
  expect(await found('specialty=Neurology&search=hospital&state=IL')).toEqual([hospital, program]);
  const choices = async () => (await get<EmployerFilterOptions>('filter_options/')).specialties;
  expect(await choices()).toEqual(['Hospital Medicine', 'Neurology']);
  await review.drop();
  expect(await found('specialty=Neurology')).toEqual([program]);
  expect(await choices()).toEqual(['Hospital Medicine']);
});

test("a specialty's sums equal the totals of its reviews", async () => {
  const { server, write } = await site();
  const [one, other] = [await newEmployer(server), await newEmployer(server)];
  for (const overall_rating of [1, 4, 5]) await write(one, { ...NEUROLOGIST, overall_rating });
  await (await write(other, { ...NEUROLOGIST, immigration_support_rating: 2 })).drop();
  await write(other, { position_title: 'Fellow', specialty: 'Nephrology' });
  await write(other, { position_title: 'Locum' });
  const { db } = server.deps;
  await db
    .updateTable('reviews')
    .set({ employer_id: other })
    .where('overall_rating', '=', 5)
    .execute();
  const sums = () =>
    db
      .selectFrom('employer_specialties')
      .selectAll()
      .orderBy('specialty')
      .orderBy('employer_id')
      .execute();
  const kept = await sums();
  expect(kept.map(({ employer_id, specialty, total }) => [employer_id, specialty, total])).toEqual([
    [other, 'Nephrology', 1],
    [one, 'Neurology', 2],
    [other, 'Neurology', 1],
  ]);
  await server.deps.database.pool.query('select employer_ratings_recompute()');
  expect(await sums()).toEqual(kept);
});

test('PostgreSQL knows how many employers have a specialty', async () => {
  const { server } = await site();
  const { db } = server.deps;
  await sql`
    insert into employers (source, source_id, name, employer_type)
    select 'demo', 'bulk ' || n, 'Hospital ' || n, 'hospital'
    from generate_series(1, 3000) as n`.execute(db);
  await sql`
    insert into employer_specialties
    select id, 'Neurology', 3, 3, 9, 9, 9, 9, 9, 0, 0 from employers`.execute(db);
  await sql`vacuum (analyze) employers, employer_specialties`.execute(db);
  const criteria = { page: 1, page_size: 20, specialty: 'Neurology' };
  const plans = await plansOf(db, (on) => list({ ...server.deps, db: on }, EMPLOYERS, criteria));
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).toMatch(/(Hash Join|Nested Loop) .* rows=300\d /);
});
