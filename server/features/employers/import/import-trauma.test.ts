import { expect, test } from 'vitest';
import { adultTraumaLevel } from './sources.ts';

test.each([
  ['LEVEL I', 'Level I'],
  ['LEVEL I ADULT', 'Level I'],
  ['LEVEL I ADULT, LEVEL I PEDIATRIC', 'Level I'],
  ['LEVEL I ADULT, LEVEL II PEDIATRIC', 'Level I'],
  ['LEVEL I, LEVEL I PEDIATRIC', 'Level I'],
  ['LEVEL I, LEVEL II PEDIATRIC', 'Level I'],
  ['LEVEL II', 'Level II'],
  ['LEVEL II / PEDIATRIC', 'Level II'],
  ['LEVEL II ADULT', 'Level II'],
  ['LEVEL II ADULT, LEVEL II PEDIATRIC', 'Level II'],
  ['LEVEL II, LEVEL II PEDIATRIC', 'Level II'],
  ['LEVEL II, LEVEL III PEDIATRIC, LEVEL II REHAB', 'Level II'],
  ['LEVEL III', 'Level III'],
  ['LEVEL III ADULT', 'Level III'],
  ['LEVEL IV', 'Level IV'],
  ['LEVEL V', 'Level V'],
])('the adult level of %s: %s', (text, level) => {
  expect(adultTraumaLevel(text)).toBe(level);
});

test.each([
  'NOT AVAILABLE',
  'LEVEL I PEDIATRIC',
  'LEVEL II PEDIATRIC',
  'PEDIATRIC',
  'I-RPTC',
  'LEVEL I PEDIATRIC REHAB',
  'LEVEL II REHAB',
  'TRH',
  'TRF',
  'CTH',
  'ATH',
  'RTC',
  'RTH',
  'PARC',
  'REGIONAL',
])('%s is not an adult level', (text) => {
  expect(adultTraumaLevel(text)).toBeNull();
});

test('picks the best of several adult levels, in any position', () => {
  expect(adultTraumaLevel('LEVEL IV, LEVEL II PEDIATRIC, LEVEL III ADULT')).toBe('Level III');
});
