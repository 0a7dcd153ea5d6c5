import { expect, test } from 'vitest';
import { AccountExport, REVIEWS_AFTER_DELETION } from '#contract/account-data.ts';
import { LoginResponse, RegisterResponse, Tokens, User } from '#contract/accounts.ts';
import { Doctor, VERIFICATION_STATUSES, VerificationChecks } from '#contract/doctors.ts';
import * as employers from '#contract/employer-choices.ts';
import { Employer, EmployerFilterOptions, EmployerQuery } from '#contract/employers.ts';
import * as choices from '#contract/review-choices.ts';
import { REPORT_REASONS } from '#contract/review-feedback.ts';
import { ReviewFilterOptions, ReviewQuery } from '#contract/review-queries.ts';
import * as reviews from '#contract/reviews.ts';
import { SCREENING_KINDS } from '#contract/screening-patterns.ts';
import { Letter, PROOF_KINDS } from '#contract/verification.ts';
import { codeIn } from './markdown.ts';
import { codeUnder, nameIn, rowsUnder } from './product.ts';

const { EMPLOYER_ORDERINGS, EMPLOYER_TYPES, HOSPITAL_STATUSES, TRAUMA_LEVELS } = employers;
const { CATEGORY_RATINGS, PUBLISH_CHOICES, REVIEW_FILTER_CHOICES, REVIEW_ORDERINGS } = choices;
const { OwnReview, PositionTitle, REVIEW_CHECKS, Review, ReviewRequest } = reviews;

/** Names and texts of a table, in its order. */
const entriesUnder = (heading: string, column: string, text: string) =>
  rowsUnder(heading, column).map((row) => [nameIn(row[column]), row[text]]);
const choicesUnder = (heading: string, column: string) =>
  rowsUnder(heading, column).map((row) => [nameIn(row[column]), nameIn(row['value']), row['text']]);

test('lists the categories in order', () => {
  expect(entriesUnder('Purpose', 'field', 'text')).toEqual(Object.entries(CATEGORY_RATINGS));
});

test('lists the checks of a review in order', () => {
  expect(entriesUnder('Review checks', 'field', 'message')).toEqual(Object.entries(REVIEW_CHECKS));
});

test.each([
  ['Review sort orders', REVIEW_ORDERINGS],
  ['Employer sort orders', EMPLOYER_ORDERINGS],
])('%s: lists each value with its text, the default first', (heading, orderings) => {
  expect(entriesUnder(heading, 'value', 'text')).toEqual(Object.entries(orderings));
});

test.each([
  ['Review filters', ReviewQuery.shape],
  ['Employer filters', EmployerQuery.shape],
])('%s: lists each parameter', (heading, shape) => {
  expect(codeUnder(heading, 'parameter').sort()).toEqual(Object.keys(shape).sort());
});

test('lists the choices of the review filters', () => {
  const choices = Object.entries(REVIEW_FILTER_CHOICES).flatMap(([filter, options]) =>
    options.map(({ value, label }) => [filter, value, label]),
  );
  expect(choicesUnder('Review filters', 'filter')).toEqual(choices);
});

test('lists the choices of the employer filters', () => {
  const same = (field: string, values: readonly string[]) =>
    values.map((value) => [field, value, value]);
  expect(choicesUnder('Employer choices', 'field')).toEqual([
    ...Object.entries(EMPLOYER_TYPES).map(([value, label]) => ['employer_type', value, label]),
    ...same('trauma_level', TRAUMA_LEVELS),
    ...same('hospital_status', HOSPITAL_STATUSES),
  ]);
});

test.each<[heading: string, column: string, values: readonly string[]]>([
  ['Publishing later', 'publish', PUBLISH_CHOICES],
  ['Publishing later', 'status', OwnReview.shape.status.options],
  ['Screening', 'kind', Object.keys(SCREENING_KINDS)],
  ['Voting and reporting', 'reason', Object.keys(REPORT_REASONS)],
  ['My Account', 'choice', REVIEWS_AFTER_DELETION],
  ['Verification page', 'status', VERIFICATION_STATUSES],
  ['Verification page', 'proof', PROOF_KINDS],
  ['Verification page', 'letter', Letter.shape.state.options],
])('%s: lists each %s', (heading, column, values) => {
  expect(codeUnder(heading, column)).toEqual(values);
});

test.each([
  ['Screening', 'kind', SCREENING_KINDS],
  ['Voting and reporting', 'reason', REPORT_REASONS],
])('%s: lists the text of each %s', (heading, column, texts) => {
  expect(entriesUnder(heading, column, 'text')).toEqual(Object.entries(texts));
});

const SHAPES = {
  ...{ User, Doctor, VerificationChecks, Tokens, LoginResponse, Employer, EmployerFilterOptions },
  ...{ Review, ReviewRequest, ReviewFilterOptions, PositionTitle, AccountExport },
};
test.each(Object.entries(SHAPES))('lists the fields of %s', (name, { shape }) => {
  const row = rowsUnder('Data', 'what').find((one) => nameIn(one['what']) === name);
  expect(codeIn(row?.['fields'] ?? '').sort()).toEqual(Object.keys(shape).sort());
});

test('lists the extra fields of an own review and of a registration response', () => {
  const fieldsOf = (name: string) =>
    codeIn(rowsUnder('Data', 'what').find((row) => nameIn(row['what']) === name)?.['fields'] ?? '');
  const added = Object.keys(OwnReview.shape).filter((field) => !(field in Review.shape));
  expect(fieldsOf('OwnReview')).toEqual(['Review', ...added]);
  const registered = fieldsOf('RegisterResponse').filter((field) => field !== 'verify_otp');
  const answered = RegisterResponse.def.options.flatMap(({ shape }) => Object.keys(shape));
  expect(registered.sort()).toEqual([...new Set(answered)].sort());
});
