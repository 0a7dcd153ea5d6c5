import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/transport-error.ts';
import { submitFailure } from './review-failure.tsx';

const answered = (status: number, body: unknown) =>
  new ApiError({ status, retryAfter: null, body });

test.each([
  [401, { detail: 'x' }, 'You must be logged in to create a review. Please log in and try again.'],
  [400, { title: 'Not this', detail: 'The detail.' }, 'The detail.'],
  [400, { status: 400, pros: ['First.', 'Second.'] }, 'First.'],
  [502, null, 'Failed to create review. Please try again.'],
])('%i with %j', (status, body, message) => {
  expect(submitFailure(answered(status, body), 'create').message).toBe(message);
});

test('says "update" when updating', () => {
  expect(submitFailure(answered(401, null), 'update').message).toContain('to update a review');
  expect(submitFailure(answered(500, {}), 'update').message).toContain('Failed to update review');
});

test('a missing response leaves the result unknown', () => {
  expect(submitFailure(new ApiError(null), 'create')).toEqual({
    message: 'Network error: Please check your internet connection.',
    isUnanswered: true,
  });
});

test('names the invalid field and the existing review', () => {
  const errors = { cons: ['Too long.'], review_text: ['Too long.'] };
  const failure = submitFailure(answered(400, { detail: 'Too long.', errors }), 'create');
  expect(failure.field).toBe('review_text');
  const body = { code: 'duplicate_review', detail: 'Twice.', review_id: 'first' };
  expect(submitFailure(answered(400, body), 'create').existingReviewId).toBe('first');
});

test('lists the employers to choose from', () => {
  const candidates = [{ id: 7, name: 'MERCY', city: 'DAYTON', state: 'OH', address: null }];
  const errors = { employer: ['Several.'] };
  const body = { code: 'several_employers', detail: 'Several.', errors, candidates };
  expect(submitFailure(answered(400, body), 'create')).toMatchObject({
    message: 'Several.',
    field: 'employer',
    candidates,
  });
});

test('says what must be removed', () => {
  const findings = [{ field: 'cons', start: 0, end: 7, excerpt: 'MRN 123', kind: 'mrn' }];
  const body = { code: 'identifying_text', detail: 'x', findings };
  expect(submitFailure(answered(400, body), 'create')).toEqual({
    message: '"MRN 123" looks like a medical record number. Please remove it.',
    field: 'cons',
    findings,
  });
});
