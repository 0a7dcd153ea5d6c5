import { expect, test } from 'vitest';
import { SCREENED_FIELDS } from '#contract/screening.ts';
import { createApp } from '#server/app.ts';
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

test('no screened text of a review is ever logged', () => {
  const named = ['employer', 'position_title'];
  const texts = SCREENED_FIELDS.filter((field) => !named.includes(field));
  expect(texts).not.toEqual([]);
  expect(texts.filter((field) => !NEVER_LOGGED.includes(field as never))).toEqual([]);
});
