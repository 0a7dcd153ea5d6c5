import { expect, test } from 'vitest';
import { EXCERPT_MAX } from '#contract/limits.ts';
import { excerptOf } from './reviews.ts';

test('a short text is quoted whole, on one line', () => {
  expect(excerptOf(' Kind\n\n nurses. ')).toBe('Kind nurses.');
});

test('a long text ends at a sentence, or otherwise at a word', () => {
  const sentence = 'The call room is quiet, and the nights are covered by residents.';
  expect(excerptOf(`${sentence} ${sentence} ${sentence}`)).toBe(`${sentence} ${sentence}`);
  const words = excerptOf('Short. '.concat('nurses, '.repeat(60)));
  expect(words).toMatch(/nurses…$/);
  expect(words.length).toBeLessThanOrEqual(EXCERPT_MAX);
});

test('a character of two code units is not split', () => {
  for (const start of ['', 'a'])
    expect(excerptOf(start + '😷'.repeat(EXCERPT_MAX))).toMatch(/^a?(?:😷)+…$/u);
});
