import { expect, test } from 'vitest';
import { REVIEW_RULE_KEYS, REVIEW_RULES } from '#contract/review-rules.ts';
import { RemovalRequest } from '#contract/reviews/review-moderation.ts';
import { reasonFor } from './decision-dialog.tsx';

const { abuse, patients } = REVIEW_RULES;

test.each([
  ['an empty reason', '', abuse.reason],
  ['a blank reason', ' \n', abuse.reason],
  ["another rule's untouched text", patients.reason, abuse.reason],
  ["another rule's text, edited", `${patients.reason} Thank you.`, `${patients.reason} Thank you.`],
  ['what was typed', 'It insults a colleague.', 'It insults a colleague.'],
])('choosing a rule, with %s', (_, before, after) => {
  expect(reasonFor('abuse', before)).toBe(after);
});

test('choosing no rule changes nothing', () => {
  expect(reasonFor('', '')).toBe('');
  expect(reasonFor('', abuse.reason)).toBe(abuse.reason);
});

test.each(REVIEW_RULE_KEYS)('the text for %s can be sent as it is', (rule) => {
  const { reason } = REVIEW_RULES[rule];
  expect(RemovalRequest.parse({ reason })).toMatchObject({ reason });
});
