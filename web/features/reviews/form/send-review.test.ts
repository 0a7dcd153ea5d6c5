import { expect, test } from 'vitest';
import { REVIEW_CHECKS, type Review } from '#contract/reviews/reviews.ts';
import { customEmployer, EMPTY_REVIEW, type ReviewValues, valuesOf } from './review-values.ts';
import { EditedReviewForm, fieldErrorText, NewReviewForm } from './send-review.ts';

const FILLED: ReviewValues = {
  ...EMPTY_REVIEW,
  employer: { id: 7, name: 'Mercy', city: null, state: null },
  overall_rating: 5,
  work_life_balance_rating: 4,
  mentorship_growth_rating: 3,
  team_collaboration_rating: 2,
  compensation_benefits_rating: 1,
  review_text: ' Good nights. ',
  position_title: 'Hospitalist',
  start_year: String(new Date().getUTCFullYear()),
  is_current_employee: true,
  would_recommend: false,
};

test('the empty form fails every check except the last, in order', () => {
  const issues = NewReviewForm.safeParse(EMPTY_REVIEW).error?.issues ?? [];
  expect(issues.map(({ message }) => message)).toEqual(Object.values(REVIEW_CHECKS).slice(0, -1));
});

test('requires an end year for a former job', () => {
  const issues = NewReviewForm.safeParse({ ...FILLED, is_current_employee: false }).error?.issues;
  expect(issues?.map(({ message }) => message)).toEqual([REVIEW_CHECKS.end_year]);
});

test('converts to the payload: whole years, no end year, no unset rating', () => {
  const request = NewReviewForm.parse({ ...FILLED, end_year: '2020' });
  expect(request).toMatchObject({
    ...{ employer: '7', is_custom_employer: 'false', review_text: 'Good nights.' },
    ...{ start_year: Number(FILLED.start_year), end_year: null },
  });
  expect(JSON.parse(JSON.stringify(request))).not.toHaveProperty('immigration_support_rating');
  expect(request).not.toHaveProperty('publish');
  expect(NewReviewForm.parse({ ...FILLED, publish: 'later' }).publish).toBe('later');
  expect(EditedReviewForm.parse({ ...FILLED, publish: 'later' })).not.toHaveProperty('publish');
  const employer = customEmployer('Quill Clinic');
  const place = { city: 'Sitka', state: 'AK' };
  const custom = { employer: 'Quill Clinic', is_custom_employer: 'true' };
  const typed = { ...FILLED, employer, ...place };
  expect(NewReviewForm.parse(typed)).toMatchObject({ ...custom, ...place });
  expect(NewReviewForm.parse({ ...FILLED, ...place })).not.toHaveProperty('city');
});

test('an edited review may keep years that are no longer offered', () => {
  const review = { ...NewReviewForm.parse(FILLED), start_year: 1980, employer: FILLED.employer };
  const values = valuesOf(review as unknown as Review);
  expect(EditedReviewForm.parse(values).start_year).toBe(1980);
  expect(NewReviewForm.safeParse(values).error?.issues[0]?.message).toBe(REVIEW_CHECKS.start_year);
});

test('names the field if the message does not', () => {
  expect(fieldErrorText('pros', 'Must be shorter')).toBe('Pros: Must be shorter');
  expect(fieldErrorText('review_text', REVIEW_CHECKS.review_text)).toBe(REVIEW_CHECKS.review_text);
});
