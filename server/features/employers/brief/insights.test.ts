import { expect, test } from 'vitest';
import type { Employer, EmployerInsights } from '#contract/employers.ts';
import type { Page } from '#contract/paging.ts';
import type { Review, ReviewRequest } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

async function review(server: TestApp, employer: number, fields: Partial<ReviewRequest>) {
  const { headers } = await signedInDoctor(server);
  const payload = reviewOf(employer, fields);
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/reviews/',
    headers,
    payload,
  });
  expect(answer.statusCode).toBe(201);
  return answer.json<Review>();
}

const get = async <T>({ app }: TestApp, path: string) =>
  (await app.inject({ url: `/api/employers/${path}` })).json<T>();

test('insights are computed from the reviews', async () => {
  await using server = await buildTestApp();
  const employer = await newEmployer(server);
  const none = await get<EmployerInsights>(server, `${employer}/insights/`);
  expect(none).toMatchObject({
    total_reviews: 0,
    spread: { overall_rating: [0, 0, 0, 0, 0] },
    would_recommend: { yes: 0, answered: 0, share: null },
    newest_review_at: null,
    recent: { total_reviews: 0, overall_rating: null },
    position_titles: [],
    specialties: [],
    subgroup: null,
    by_year: [],
    by_employment: {
      current: { total_reviews: 0, overall_rating: null },
      former: { total_reviews: 0, overall_rating: null },
    },
    concerns: [],
    similar: [],
  });

  server.time.now = new Date('2024-03-01T10:20:30Z');
  await review(server, employer, { overall_rating: 1, would_recommend: false, start_year: 2020 });
  server.time.now = new Date('2026-11-20T10:20:30Z');
  await review(server, employer, { overall_rating: 5, immigration_support_rating: 2 });
  const newest = await review(server, employer, {
    overall_rating: 4,
    position_title: 'Nocturnist',
    work_life_balance_rating: 1,
  });
  expect(await get<EmployerInsights>(server, `${employer}/insights/`)).toEqual({
    employer: await get<Employer>(server, `${employer}/`),
    employer_id: employer,
    total_reviews: 3,
    spread: {
      overall_rating: [1, 0, 0, 1, 1],
      work_life_balance_rating: [1, 0, 2, 0, 0],
      mentorship_growth_rating: [0, 0, 0, 3, 0],
      team_collaboration_rating: [0, 0, 0, 0, 3],
      compensation_benefits_rating: [0, 3, 0, 0, 0],
      immigration_support_rating: [0, 1, 0, 0, 0],
    },
    would_recommend: { yes: 2, answered: 3, share: 0.6667 },
    newest_review_at: newest.created_at,
    recent: { total_reviews: 2, overall_rating: 4.5 },
    position_titles: [
      { title: 'Hospitalist', count: 2 },
      { title: 'Nocturnist', count: 1 },
    ],
    specialties: [{ specialty: 'Hospital Medicine', count: 3 }],
    subgroup: null,
    by_year: [
      { year: 2024, total_reviews: 1, overall_rating: null },
      { year: 2026, total_reviews: 2, overall_rating: null },
    ],
    by_employment: {
      current: { total_reviews: 3, overall_rating: 3.3333 },
      former: { total_reviews: 0, overall_rating: null },
    },
    concerns: [],
    similar: [],
  });
});

test("lists an employer's reviews in any order, by position, and by page", async () => {
  await using server = await buildTestApp();
  const employer = await newEmployer(server);
  await review(server, await newEmployer(server), {});
  for (const overall_rating of [3, 5, 4]) await review(server, employer, { overall_rating });
  await review(server, employer, { overall_rating: 2, position_title: 'OB/GYN Physician' });
  const ratings = async (query: string) => {
    const page = await get<Page<Review>>(server, `${employer}/reviews/?${query}`);
    return { count: page.count, ratings: page.results.map((one) => one.overall_rating) };
  };
  expect(await ratings('ordering=-overall_rating')).toEqual({ count: 4, ratings: [5, 4, 3, 2] });
  expect(await ratings('ordering=overall_rating&position_title=hospitalist')).toEqual({
    count: 3,
    ratings: [3, 4, 5],
  });
  expect(await ratings('position_title=ob%20gyn%20physician')).toEqual({ count: 1, ratings: [2] });
  expect(await ratings('ordering=overall_rating&page_size=2&page=2')).toEqual({
    count: 4,
    ratings: [4, 5],
  });
  const refused = await server.app.inject({
    url: `/api/employers/${employer}/reviews/?ordering=stars`,
  });
  expect(refused.json()).toMatchObject({ status: 400, errors: { ordering: expect.anything() } });
});
