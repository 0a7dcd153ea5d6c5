import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { emptyStates } from '#server/features/employers/testing/empty-states.ts';
import { expect, test as siteTest } from '#server/testing/site.ts';

const { insights, read, reviews } = employerEndpoints;
const test = siteTest.extend('employer', async ({ site }) => {
  const [state] = await emptyStates(site);
  return site.employer({ state });
});

test('insights are computed from the reviews', async ({ site, employer }) => {
  const of = { params: { id: employer } };
  const NONE = { total_reviews: 0, overall_rating: null };
  const others = { subgroup: null, concerns: [], similar: [], sources: [] };
  expect((await site.visitor().get(insights, of)).body).toMatchObject({
    ...{ total_reviews: 0, recent: NONE, by_employment: { current: NONE, former: NONE } },
    ...{ newest_review_at: null, position_titles: [], specialties: [], by_year: [], ...others },
    spread: { overall_rating: [0, 0, 0, 0, 0] },
    would_recommend: { yes: 0, answered: 0, share: null },
  });

  const at = employer;
  site.time.now = new Date('2024-03-01T10:20:30Z');
  await site.review({ at, overall_rating: 1, would_recommend: false, start_year: 2020 });
  site.time.now = new Date('2026-11-20T10:20:30Z');
  await site.review({ at, overall_rating: 5, immigration_support_rating: 2 });
  const ratings = { overall_rating: 4, work_life_balance_rating: 1 };
  const newest = await site.review({ at, ...ratings, position_title: 'Nocturnist' });
  const titles = { Hospitalist: 2, Nocturnist: 1 };
  expect((await site.visitor().get(insights, of)).body).toEqual({
    employer: (await site.visitor().get(read, of)).body,
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
    position_titles: Object.entries(titles).map(([title, count]) => ({ title, count })),
    specialties: [{ specialty: 'Hospital Medicine', count: 3 }],
    by_year: [
      { year: 2024, total_reviews: 1, overall_rating: null },
      { year: 2026, total_reviews: 2, overall_rating: null },
    ],
    by_employment: { current: { total_reviews: 3, overall_rating: 3.3333 }, former: NONE },
    ...others,
  });
});

test("lists an employer's reviews by order, position, and page", async ({ site, employer: at }) => {
  const ask = (query: object) => site.visitor().get(reviews, { params: { id: at }, query });
  await site.review();
  for (const overall_rating of [3, 5, 4]) await site.review({ at, overall_rating });
  await site.review({ at, overall_rating: 2, position_title: 'OB/GYN Physician' });
  const ratings = async (query: object) => {
    const { count, results } = (await ask(query)).body;
    return [count, results.map((one) => one.overall_rating)];
  };
  const ordering = 'overall_rating';
  expect(await ratings({ ordering: '-overall_rating' })).toEqual([4, [5, 4, 3, 2]]);
  expect(await ratings({ ordering, position_title: 'hospitalist' })).toEqual([3, [3, 4, 5]]);
  expect(await ratings({ position_title: 'ob gyn physician' })).toEqual([1, [2]]);
  expect(await ratings({ ordering, page_size: 2, page: 2 })).toEqual([4, [4, 5]]);
  const { problem } = await ask({ ordering: 'stars' });
  expect(problem).toMatchObject({ status: 400, errors: { ordering: expect.anything() } });
});
