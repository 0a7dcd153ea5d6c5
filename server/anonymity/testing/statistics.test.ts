import { expect, test } from 'vitest';
import { binomialTail, normalTail, ranksOf } from './statistics.ts';

test('computes the binomial tail', () => {
  expect(binomialTail(0, 10, 0.5)).toBe(1);
  expect(binomialTail(1, 10, 0.5)).toBeCloseTo(1 - 2 ** -10, 12);
  expect(binomialTail(10, 10, 0.5)).toBeCloseTo(2 ** -10, 12);
  // 13 or more of 180 at 2.5%.
  expect(binomialTail(13, 180, 0.025)).toBeCloseTo(0.000663, 6);
  expect(binomialTail(90, 180, 0.025)).toBeLessThan(1e-80);
});

test('never underestimates the normal tail', () => {
  expect(normalTail(0)).toBe(1);
  expect(normalTail(1.96)).toBeGreaterThan(0.05);
  expect(normalTail(6)).toBeGreaterThan(1.97e-9);
  expect(normalTail(6)).toBeLessThan(1e-7);
});

test('gives equal values their middle rank', () => {
  expect(ranksOf([5, 1, 5, 3])).toEqual([2.5, 0, 2.5, 1]);
});
