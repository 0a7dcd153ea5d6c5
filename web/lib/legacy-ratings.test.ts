import { expect, test } from 'vitest';
import { averageOf } from './legacy-ratings.ts';

test('reads the averages of older responses by their names', () => {
  const growth = { avg_growth_opportunities_rating: 3 };
  const older = { avg_location_rating: 2.5, ...growth, avg_compensation_rating: 4 };
  expect(averageOf(older, 'work_life_balance_rating')).toBe(2.5);
  expect(averageOf(older, 'mentorship_growth_rating')).toBe(3);
  expect(averageOf(older, 'team_collaboration_rating')).toBe(3);
  expect(averageOf(older, 'compensation_benefits_rating')).toBe(4);
  expect(averageOf(older, 'immigration_support_rating')).toBeNull();
  const newer = { ...older, avg_work_life_balance_rating: 5 };
  expect(averageOf(newer, 'work_life_balance_rating')).toBe(5);
});
