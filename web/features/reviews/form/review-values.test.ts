import { expect, test } from 'vitest';
import type { Review } from '#contract/reviews/reviews.ts';
import { valuesOf } from './review-values.ts';

const employer = { name: 'A' };
const REVIEW = { employer, position_title: 'Hospitalist', start_year: 2019 } as Review;

test('reads the ratings of an older response, as the cards do', () => {
  const legacy = { location_rating: 3, growth_opportunities_rating: 5, compensation_rating: 1 };
  expect(valuesOf({ ...REVIEW, ...legacy })).toMatchObject({
    work_life_balance_rating: 3,
    mentorship_growth_rating: 5,
    team_collaboration_rating: 5,
    compensation_benefits_rating: 1,
    immigration_support_rating: 0,
  });
});

test('prefers the ratings of a newer response', () => {
  const both = { location_rating: 3, work_life_balance_rating: 4, compensation_rating: null };
  const newer = { work_life_balance_rating: 4, compensation_benefits_rating: 0 };
  expect(valuesOf({ ...REVIEW, ...both })).toMatchObject(newer);
});
