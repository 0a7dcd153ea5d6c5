import { expect, test } from 'vitest';
import type { ComparedEmployer, Figure } from '#contract/employers/employer-comparison.ts';
import { BEST_LEAD, REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { factRows, figureRows } from './comparison-rows.ts';

type Figures = ComparedEmployer['figures'];

const NONE: Figure = { value: null, reviews: 0 };
const EQUAL: Figure = { value: 3, reviews: 40 };

function compared(id: number, figures: Partial<Figures> = {}, employer = {}): ComparedEmployer {
  return {
    employer: {
      ...{ id, name: `Hospital ${id}`, city: null, state: null, bed_count: null },
      ...{ employer_type_display: 'Hospital', ownership_type: 'Not Specified' },
      ...{ trauma_level: null, ...employer },
    },
    figures: {
      ...{ overall_rating: EQUAL, work_life_balance_rating: EQUAL },
      ...{ mentorship_growth_rating: EQUAL, team_collaboration_rating: EQUAL },
      ...{ compensation_benefits_rating: EQUAL, immigration_support_rating: NONE },
      would_recommend: { value: 0.5, reviews: 40 },
      ...figures,
    },
    newest_review_on: '2026-03-02',
    pro: null,
    con: null,
  };
}

const of = (value: number | null, reviews = 40): Figure => ({ value, reviews });
const overall = (...figures: Figure[]) => {
  const [row] = figureRows(figures.map((figure, at) => compared(at, { overall_rating: figure })));
  if (!row) throw new Error('no rows');
  return row;
};
const best = (...figures: Figure[]) =>
  overall(...figures).cells.flatMap(({ id, isBest }) => (isBest ? [id] : []));

test('the overall rating comes first, and then the biggest differences', () => {
  const figures = (team: number, pay: number, recommended: number) => ({
    team_collaboration_rating: of(team),
    compensation_benefits_rating: of(pay),
    would_recommend: of(recommended),
  });
  const rows = figureRows([compared(1, figures(3.2, 5, 0.9)), compared(2, figures(3.9, 2.5, 0.4))]);
  expect(rows.map(({ label, lead }) => [label, lead])).toEqual([
    ['Overall rating', 'No difference'],
    ['Compensation & benefits', '2.5 stars apart'],
    // Half of the scale is 2 stars.
    ['Would recommend', '50 points apart'],
    ['Team collaboration', '0.7 stars apart'],
    ['Work-life balance', 'No difference'],
    ['Mentorship & growth', 'No difference'],
    ['Immigration support', null],
  ]);
});

test('the best rating leads by at least half a star, as displayed', () => {
  expect(BEST_LEAD).toBe(0.5);
  expect(best(of(4.5), of(4))).toEqual([0]);
  expect(best(of(4.4), of(4))).toEqual([]);
  // Displayed as 4.5 and 4.0.
  expect(best(of(4.46), of(4.04))).toEqual([0]);
  // In floating point, 4.3 - 3.8 is less than 0.5.
  expect(best(of(3.8), of(4.3))).toEqual([1]);
  expect(best(of(4.5), of(4.5), of(2))).toEqual([]);
});

test('a percentage leads by the same fraction of its scale', () => {
  const lead = (...shares: number[]) => {
    const rows = figureRows(shares.map((one, id) => compared(id, { would_recommend: of(one) })));
    return rows.find(({ name }) => name === 'would_recommend')?.cells.map(({ isBest }) => isBest);
  };
  expect(lead(0.63, 0.5)).toEqual([true, false]);
  expect(lead(0.62, 0.5)).toEqual([false, false]);
});

test('a rating from too few reviews is shown, but neither wins nor decides which one wins', () => {
  const few = of(5, REVIEWS_TO_COMPARE - 1);
  expect(REVIEWS_TO_COMPARE).toBe(5);
  expect(best(few, of(3))).toEqual([]);
  expect(best(of(5), of(1, REVIEWS_TO_COMPARE - 1))).toEqual([]);
  expect(best(few, of(4), of(2))).toEqual([1]);
  const cells = [{ text: '5.0', isFew: true }, { isFew: false }];
  expect(overall(few, of(3))).toMatchObject({ lead: null, cells });
  expect(best(of(5, REVIEWS_TO_COMPARE), of(3, REVIEWS_TO_COMPARE))).toEqual([0]);
  expect(overall(NONE, of(3)).cells[0]).toMatchObject({ text: null, isFew: false, reviews: 0 });
});

test('the axis has what one further review of 1 or of 5 stars would make of a figure', () => {
  const [two, none] = overall(of(3, 3), NONE).cells;
  expect(two).toMatchObject({ place: 0.5, range: [0.375, 0.625] });
  expect(two?.further).toBe('2.5 to 3.5 after one more review');
  expect(none).toMatchObject({ range: null, further: null });
  const rows = figureRows([compared(1, { would_recommend: of(0.75, 3) }), compared(2)]);
  const recommended = rows.find(({ name }) => name === 'would_recommend');
  expect(recommended).toMatchObject({
    ends: ['0%', '100%'],
    cells: [{ place: 0.75, range: [0.5625, 0.8125], differs: true }, { differs: false }],
  });
});

test('facts are not ranked', () => {
  const rows = factRows([
    compared(1, {}, { bed_count: 1200, trauma_level: 'Level I', ownership_type: 'Non-Profit' }),
    compared(2, {}, { bed_count: 0 }),
  ]);
  const cells = (...texts: (string | null)[]) => texts.map((text, at) => ({ id: at + 1, text }));
  expect(rows).toEqual([
    { label: 'Beds', cells: cells('1,200', null) },
    { label: 'Trauma level', cells: cells('Level I', null) },
    { label: 'Ownership', cells: cells('Non-Profit', null) },
  ]);
});
