import { expect, test } from 'vitest';
import { screenReview } from '#contract/screening.ts';
import { SPECIALTY_NAMES } from '#contract/specialties.ts';
import { readDemoData } from './data.ts';

test('the demo reviews pass the screening', async () => {
  const { reviews } = await readDemoData();
  const findings = reviews.flatMap(({ employer: _, ...texts }) => screenReview(texts));
  expect(reviews.length).toBeGreaterThan(500);
  expect(findings).toEqual([]);
});

test('the demo reviews name specialties of the list', async () => {
  const { reviews } = await readDemoData();
  const specialties = reviews.flatMap(({ specialty }) => specialty ?? []);
  expect(specialties.length).toBeGreaterThan(500);
  expect(specialties.filter((one) => !SPECIALTY_NAMES.includes(one))).toEqual([]);
});
