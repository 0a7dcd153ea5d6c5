import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Employer, EmployerInsights } from '#contract/employers/employers.ts';
import { CategoryAverages, SpecialtyRatings } from './category-averages.tsx';

const AVERAGES = {
  ...{ avg_work_life_balance_rating: 3, avg_mentorship_growth_rating: 3 },
  ...{ avg_team_collaboration_rating: 3, avg_compensation_benefits_rating: 3 },
  avg_immigration_support_rating: 4.5,
};
const employer = { total_reviews: 15, overall_rating: 3, ...AVERAGES } as Employer;
const ALL = [0, 0, 15, 0, 0] as const;

/** The texts of the page, in order. */
const textsOf = (page: string) => page.replace(/<[^>]*>/g, '|').split(/\|+/);

function categories(immigration_support_rating: readonly number[]) {
  const spread = {
    ...{ work_life_balance_rating: ALL, mentorship_growth_rating: ALL },
    ...{ team_collaboration_rating: ALL, compensation_benefits_rating: ALL },
    immigration_support_rating,
  } as unknown as EmployerInsights['spread'];
  const element = createElement(CategoryAverages, { employer, insights: { spread } });
  return textsOf(renderToStaticMarkup(element));
}

test('a category says how many reviews it is of, unless all rate it', () => {
  const texts = categories([0, 0, 0, 1, 1]);
  expect(texts[texts.indexOf('Immigration support') + 1]).toBe('2 reviews');
  expect(texts.filter((text) => text.endsWith(' reviews'))).toHaveLength(1);
  expect(categories([0, 0, 0, 8, 7]).join()).not.toContain('reviews');
});

test('so does a category of a specialty', () => {
  const subgroup = {
    ...{ specialty: 'Neurology', total_reviews: 5, recommend_share: 1, overall_rating: 3 },
    ...{ ...AVERAGES, immigration_answers: 3 },
  };
  const ratings = (of: typeof subgroup) =>
    textsOf(renderToStaticMarkup(createElement(SpecialtyRatings, { subgroup: of })));
  const texts = ratings(subgroup);
  const at = texts.indexOf('Immigration support');
  expect(texts.slice(at + 1, at + 3)).toEqual(['4.5', '3 reviews']);
  expect(texts.filter((text) => text === '3 reviews')).toHaveLength(1);
  expect(ratings({ ...subgroup, immigration_answers: 5 })).not.toContain('5 reviews');
});
