import { expect, test } from 'vitest';
import { statisticsOf } from './own-reviews.tsx';

test('counts reviews and recommendations, and averages ratings', () => {
  const reviews = [
    { overall_rating: 5, would_recommend: true },
    { overall_rating: 2, would_recommend: false },
    { overall_rating: 4, would_recommend: true },
  ];
  expect(statisticsOf(reviews)).toEqual({ total: 3, recommended: 2, averageRating: 11 / 3 });
  expect(statisticsOf([])).toEqual({ total: 0, recommended: 0, averageRating: null });
});
