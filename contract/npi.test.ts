import { expect, test } from 'vitest';
import { Npi } from './accounts.ts';

test.each([
  ...[' 2328775939', '232-877-5939', '232\u2011877\u20115939', '2328775939\u00a0'],
  ...['\u200b2328775939\ufeff', '232 877 5939', '2328775939\n'],
])('what is pasted along with an NPI goes: %j', (pasted) => {
  expect(Npi.parse(pasted)).toBe('2328775939');
});

test.each(['23287759391', '232877593', '232877593x', '232.877.5939'])('refuses %j', (text) => {
  expect(Npi.safeParse(text).error?.issues[0]?.message).toBe('NPI must be exactly 10 digits');
});

test.each(['', ' ', '-', '\u200b'])('asks for a number instead of %j', (text) => {
  expect(Npi.safeParse(text).error?.issues[0]?.message).toBe('NPI Number is required');
});
