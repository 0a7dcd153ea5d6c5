import { expect, test } from 'vitest';
import type { Employer, EmployerInsights } from '#contract/employers.ts';
import { REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { type Compared, comparisonRows } from './comparison-rows.ts';

type Spread = EmployerInsights['spread']['overall_rating'];

interface Sample {
  id: number;
  rating?: number | null;
  reviews?: number;
  yes?: number;
  newest?: string;
  employer?: Partial<Employer>;
}

function compared({
  id,
  rating = null,
  reviews = 10,
  yes = 0,
  newest,
  employer,
}: Sample): Compared {
  const spread: Spread = [0, 0, 0, 0, reviews];
  return {
    employer: {
      id,
      ownership_type: 'Not Specified',
      bed_count: null,
      trauma_level: null,
      overall_rating: rating,
      avg_work_life_balance_rating: rating,
      avg_mentorship_growth_rating: rating,
      avg_team_collaboration_rating: rating,
      avg_compensation_benefits_rating: rating,
      avg_immigration_support_rating: null,
      ...employer,
    } as Employer,
    insights: {
      employer_id: id,
      total_reviews: reviews,
      spread: {
        overall_rating: spread,
        work_life_balance_rating: spread,
        mentorship_growth_rating: spread,
        team_collaboration_rating: spread,
        compensation_benefits_rating: spread,
        immigration_support_rating: [0, 0, 0, 0, 0],
      },
      would_recommend: { yes, answered: reviews, share: null },
      newest_review_at: newest ?? null,
      recent: { total_reviews: 0, overall_rating: null },
      position_titles: [],
      specialties: [],
      subgroup: null,
    },
  };
}

const rowOf = (label: string, ...samples: Sample[]) => {
  const row = comparisonRows(samples.map(compared)).find((each) => each.label === label);
  if (!row) throw new Error(`no row ${label}`);
  return row.cells;
};
const best = (label: string, ...samples: Sample[]) =>
  rowOf(label, ...samples).flatMap(({ id, isBest }) => (isBest ? [id] : []));

test('shows the rows in order', () => {
  expect(comparisonRows([]).map(({ label }) => label)).toEqual([
    'Overall rating',
    'Work-life balance',
    'Mentorship & growth',
    'Team collaboration',
    'Compensation & benefits',
    'Immigration support',
    'Would recommend',
    'Reviews',
    'Newest review',
    'Beds',
    'Trauma level',
    'Ownership',
  ]);
});

test('equal displayed values are equally good', () => {
  const samples = [
    { id: 1, rating: 4.04 },
    { id: 2, rating: 3.96 },
    { id: 3, rating: 3.2 },
  ];
  expect(best('Overall rating', ...samples)).toEqual([1, 2]);
  expect(best('Overall rating', { id: 1, rating: 4.04 }, { id: 2, rating: 3.96 })).toEqual([]);
});

test('a single value is never the best', () => {
  expect(best('Beds', { id: 1, employer: { bed_count: 40 } }, { id: 2 })).toEqual([]);
});

test('too few reviews are shown, and never win', () => {
  const few = { id: 1, rating: 5, reviews: REVIEWS_TO_COMPARE - 1, yes: REVIEWS_TO_COMPARE - 1 };
  const others = [
    { id: 2, rating: 3, yes: 1 },
    { id: 3, rating: 2, yes: 0 },
  ];
  for (const label of ['Overall rating', 'Team collaboration', 'Would recommend']) {
    expect(best(label, few, ...others)).toEqual([2]);
    expect(rowOf(label, few)[0]?.note).toBe('Too few reviews to tell');
  }
  expect(rowOf('Reviews', few)[0]?.note).toBe('Too few reviews to tell');
  expect(rowOf('Overall rating', { ...few, reviews: REVIEWS_TO_COMPARE })[0]?.note).toBeNull();
});

test('the best trauma level is the lowest number, and the best latest review the newest', () => {
  const level = (id: number, trauma_level: Employer['trauma_level']) => ({
    id,
    employer: { trauma_level },
  });
  expect(best('Trauma level', level(1, 'Level II'), level(2, 'Level I'), level(3, null))).toEqual([
    2,
  ]);
  expect(
    best(
      'Newest review',
      { id: 1, newest: '2026-03-02T08:00:00.000Z' },
      { id: 2, newest: '2026-03-02T09:30:00.000Z' },
      { id: 3, newest: '2026-03-01T23:59:00.000Z' },
    ),
  ).toEqual([1, 2]);
});

test('unknown values have no text', () => {
  const unknown = comparisonRows([compared({ id: 1, reviews: 0 })]);
  const said = unknown.flatMap(({ label, cells }) => (cells[0]?.text === null ? [] : [label]));
  expect(said).toEqual(['Reviews']);
});

test('with a specialty, its averages and number of reviews are compared', () => {
  const of = (id: number, total_reviews: number, average: number | null): Compared => {
    const one = compared({ id, rating: 1 });
    const subgroup = {
      specialty: 'Neurology',
      total_reviews,
      recommend_share: average && 0.5,
      overall_rating: average,
      avg_work_life_balance_rating: average,
      avg_mentorship_growth_rating: average,
      avg_team_collaboration_rating: average,
      avg_compensation_benefits_rating: average,
      avg_immigration_support_rating: null,
    };
    return { ...one, insights: { ...one.insights, subgroup } };
  };
  const rows = comparisonRows([of(1, 3, 4.25), of(2, 4, 2), of(3, 2, null), of(4, 0, null)]);
  const cells = (label: string) =>
    rows.find((row) => row.label === label)?.cells.map(({ text, note }) => [text, note]);
  expect(cells('Overall rating')).toEqual([
    ['4.3', null],
    ['2.0', null],
    [null, 'Too few reviews to tell'],
    [null, null],
  ]);
  expect(cells('Would recommend')?.[0]).toEqual(['50%', null]);
  expect(cells('Reviews')?.map(([text]) => text)).toEqual(['3', '4', '2', '0']);
  expect(rows[0]?.cells.map(({ isBest }) => isBest)).toEqual([true, false, false, false]);
});
