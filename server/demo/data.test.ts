import { expect, test } from 'vitest';
import { screen } from '#contract/screening.ts';
import { readDemoData } from './data.ts';

test('the demo reviews pass the screening', async () => {
  const { reviews } = await readDemoData();
  const findings = reviews.flatMap(({ review_text, pros, cons, position_title }) =>
    screen({ review_text, pros, cons, position_title }),
  );
  expect(reviews.length).toBeGreaterThan(500);
  expect(findings).toEqual([]);
});
