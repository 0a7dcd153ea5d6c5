import { expect, test } from 'vitest';
import { categoryRatings } from './review-card.tsx';

const ratings = {
  work_life_balance_rating: 1,
  mentorship_growth_rating: 2,
  team_collaboration_rating: 3,
  compensation_benefits_rating: 4,
  immigration_support_rating: 5,
};

const FOUR = ['Work-life balance', 'Mentorship & growth', 'Team collaboration'];
const LABELS = [...FOUR, 'Compensation & benefits', 'Immigration support'];
const labelled = (...given: number[]) => given.map((rating, at) => ({ label: LABELS[at], rating }));

test('lists the categories in the order of the form', () => {
  expect(categoryRatings(ratings)).toEqual(labelled(1, 2, 3, 4, 5));
});

test('leaves out unrated categories', () => {
  expect(categoryRatings({ ...ratings, immigration_support_rating: null })).toHaveLength(4);
});

test('reads the category names of older reviews', () => {
  const older = { location_rating: 2, growth_opportunities_rating: 3, compensation_rating: 4 };
  expect(categoryRatings(older)).toEqual(labelled(2, 3, 3, 4));
  expect(categoryRatings({ ...older, work_life_balance_rating: 5 })[0]?.rating).toBe(5);
});
