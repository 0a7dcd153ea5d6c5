import { expect, test } from 'vitest';
import { categoryRatings } from './category-ratings.tsx';

const ratings = {
  work_life_balance_rating: 1,
  mentorship_growth_rating: 2,
  team_collaboration_rating: 3,
  compensation_benefits_rating: 4,
  immigration_support_rating: 5,
};

test('lists the categories in the order of the form', () => {
  expect(categoryRatings(ratings)).toEqual([
    { label: 'Work-life balance', rating: 1 },
    { label: 'Mentorship & growth', rating: 2 },
    { label: 'Team collaboration', rating: 3 },
    { label: 'Compensation & benefits', rating: 4 },
    { label: 'Immigration support', rating: 5 },
  ]);
});

test('leaves out unrated categories', () => {
  expect(categoryRatings({ ...ratings, immigration_support_rating: null })).toHaveLength(4);
});

test('reads the category names of older reviews', () => {
  const older = { location_rating: 2, growth_opportunities_rating: 3, compensation_rating: 4 };
  expect(categoryRatings(older)).toEqual([
    { label: 'Work-life balance', rating: 2 },
    { label: 'Mentorship & growth', rating: 3 },
    { label: 'Team collaboration', rating: 3 },
    { label: 'Compensation & benefits', rating: 4 },
  ]);
  expect(categoryRatings({ ...older, work_life_balance_rating: 5 })[0]?.rating).toBe(5);
});
