import { expect, test } from 'vitest';
import { REVIEW_TEXT_MAX } from './limits.ts';
import { REVIEW_TEXT_KEYS } from './review-choices.ts';
import { padded } from './transport.ts';

const bytes = (text: string) => Buffer.byteLength(padded(JSON.stringify(text)));

test.for([
  ['nothing', '', 16_384],
  ['a short text', 'x'.repeat(50), 16_384],
  ['three texts of the greatest length', 'x'.repeat(15_000), 16_384],
  ['exactly four blocks', 'x'.repeat(16_382), 16_384],
  ['a byte more', 'x'.repeat(16_383), 20_480],
  ['letters of three bytes', '’'.repeat(6_000), 20_480],
  ['the largest body', 'x'.repeat(65_534), 65_536],
] as const)('%s', ([, text, length]) => {
  expect(bytes(text)).toBe(length);
  expect(JSON.parse(padded(JSON.stringify(text)))).toBe(text);
});

test('a review is as long as a short one, however long its texts are', () => {
  const review = (length: number) =>
    padded(
      JSON.stringify({
        ...Object.fromEntries(REVIEW_TEXT_KEYS.map((key) => [key, 'x'.repeat(length)])),
        rest: 'x'.repeat(1000),
      }),
    );
  expect(review(REVIEW_TEXT_MAX)).toHaveLength(review(1).length);
});
