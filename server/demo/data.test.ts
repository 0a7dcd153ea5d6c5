import { expect, test } from 'vitest';
import { screenReview } from '#contract/screening.ts';
import { readDemoData } from './data.ts';

test('the demo reviews pass the screening', async () => {
  const { reviews } = await readDemoData();
  const findings = reviews.flatMap(({ employer: _, ...texts }) => screenReview(texts));
  expect(reviews.length).toBeGreaterThan(500);
  expect(findings).toEqual([]);
});
