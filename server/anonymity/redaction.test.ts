import { expect, test } from 'vitest';
import { POSITION_TITLE_MAX } from '#contract/limits.ts';
import { ReviewEditRequest, reviewContentFields } from '#contract/reviews/reviews.ts';
import { createApp } from '#server/http/create-app.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { NEVER_LOGGED } from './redaction.ts';

function logging() {
  const lines: string[] = [];
  const config = { ...TEST_CONFIG, logLevel: 'trace' as const };
  const { log } = createApp(config, (line) => lines.push(line));
  return { log, lines };
}

test.each(NEVER_LOGGED)('%s is never logged, however deeply nested', (field) => {
  const { log, lines } = logging();
  const value = 'canary-4711';
  log.info({ [field]: value, at: { [field]: value, deeper: { [field]: value } } }, 'a line');
  expect(lines.join()).toContain('a line');
  expect(lines.join()).not.toContain(value);
});

test('the list has secrets, names, contact details, identifiers, and the texts of a review', () => {
  const credentials = ['password', 'token', 'refresh', 'access'];
  const identifiers = ['npi', 'license_number', 'ssn', 'phone', 'email', 'first_name', 'last_name'];
  const texts = ['salary', 'compensation_rating', 'review_text', 'pros', 'cons'];
  expect([...NEVER_LOGGED].sort()).toEqual([...credentials, ...identifiers, ...texts].sort());
});

test('no text of a review is logged', () => {
  const long = 'a'.repeat(POSITION_TITLE_MAX + 1);
  const { shape } = ReviewEditRequest;
  const texts = reviewContentFields.filter((field) => shape[field].safeParse(long).success);
  expect(texts).toContain('review_text');
  expect(NEVER_LOGGED).toEqual(expect.arrayContaining(texts));
});

test('an error is logged without its message, which may quote a value', () => {
  const { log, lines } = logging();
  const fault = Object.assign(new Error('duplicate key: canary-4711'), {
    code: '23505',
    detail: 'Key (email)=(canary-4711) already exists.',
  });
  log.error({ err: fault }, 'request failed');
  expect(lines.join()).toContain('23505');
  expect(lines.join()).toContain('redaction.test.ts');
  expect(lines.join()).not.toContain('canary-4711');
});
