import { expect, test } from 'vitest';
import { screenReview } from '#contract/reviews/screening.ts';
import { SPECIALTY_NAMES } from '#contract/specialties.ts';
import { newFolder } from '#server/testing/folder.ts';
import { demoPasswords, PUBLISHED } from './passwords.ts';
import { demoPhysicians, readDemoData } from './seed.ts';

test('passwords are made once for the network, and then stay', () => {
  const dataDir = newFolder();
  const [onNetwork, local] = [
    { dataDir, devPort: 8081 },
    { dataDir, devPort: null },
  ];
  expect(demoPasswords(local)).toBe(PUBLISHED);
  const made = demoPasswords(onNetwork);
  expect(new Set([...Object.values(made), ...Object.values(PUBLISHED)]).size).toBe(5);
  expect([onNetwork, local].map(demoPasswords)).toEqual([made, made]);
});

test('demo reviews pass screening', async () => {
  const { reviews } = await readDemoData();
  const findings = reviews.flatMap((review) => screenReview(review));
  expect(reviews.length).toBeGreaterThan(500);
  expect(findings).toEqual([]);
});

test('demo reviews name specialties from the list', async () => {
  const { reviews } = await readDemoData();
  const specialties = reviews.flatMap(({ specialty }) => specialty ?? []);
  expect(specialties.length).toBeGreaterThan(500);
  expect(specialties.filter((one) => !SPECIALTY_NAMES.includes(one))).toEqual([]);
});

test('the demo has physician counts for every city with an employer, and some specialties are rare', async () => {
  const { employers } = await readDemoData();
  const counts = demoPhysicians(employers);
  const cities = new Set(counts.map(({ state, city }) => `${state}/${city}`));
  for (const { state, city } of employers)
    expect(cities).toContain(`${state}/${city?.toUpperCase()}`);
  const numbers = counts.map(({ physicians }) => physicians);
  expect(Math.min(...numbers)).toBe(1);
  expect(Math.max(...numbers)).toBeGreaterThan(200);
});
