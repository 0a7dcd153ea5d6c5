import { expect, test } from 'vitest';
import { SAVED_ADDRESS_MAX, SAVED_CHARACTERS_MAX, SAVED_MAX } from '../limits.ts';
import { employerAddress, fits, parseSaved, searchAddress, searchTitle } from './saved-address.ts';

test('a search has one address, whatever the order of its filters', () => {
  const address = '/reviews?city=austin%2Cdallas&state=TX';
  const filters = { state: 'TX', city: 'austin,dallas', search: ' ' };
  expect(searchAddress('/reviews', filters)).toBe(address);
  const criteria = { city: 'austin,dallas', state: 'TX' };
  expect(parseSaved(address)).toEqual({ page: '/reviews', criteria });
  expect(parseSaved(employerAddress(7))).toEqual({ employerId: 7 });
});

const LONG = `/reviews?search=${'x'.repeat(SAVED_ADDRESS_MAX)}`;
test.each([
  ...['/reviews?state=TX&city=austin', '/reviews?state=TX&state=OH', '/reviews?', LONG],
  ...['/reviews?state=', '/reviews?state=TX#x', '/reviews?state=TX?more', '/reviews?search=%00'],
  ...['/employers/7/', 'employers/7', '/employers/2147483648', 7, null],
])('%j is not an address', (address) => {
  expect(parseSaved(address)).toBeNull();
});

test('the longest list fits its sealed block', () => {
  const block = 3584;
  const longest = Array.from({ length: SAVED_MAX }, (_, at) => `/employers/${at}`.padEnd(65, '1'));
  expect(fits(longest)).toBe(true);
  const characters = longest.reduce((sum, { length }) => sum + length + 3, 0);
  expect(characters).toBe(SAVED_CHARACTERS_MAX);
  const json = JSON.stringify({ entries: longest, weekly_mail: false });
  expect(json.length).toBeLessThanOrEqual(block);
  expect(fits([...longest.slice(1), `${longest[0]}1`])).toBe(false);
  expect(fits(Array(SAVED_MAX + 1).fill('/employers/1'))).toBe(false);
});

const NIGHTS = { search: 'night float', state: 'tx', min_rating: '4' };
const CLINICS = { employer_type: 'clinic', has_helipad: 'true', min_beds: '20' };
test.each([
  ['/reviews', NIGHTS, 'Reviews: “night float”, TX, 4+ stars'],
  ['/reviews', { ordering: 'created_at' }, 'All reviews'],
  // The server has not validated what is in a browser's storage.
  ['/reviews', Object.fromEntries([['__proto__', 'x']]), 'Reviews: x'],
  ['/reviews', { hasOwnProperty: 'x' }, 'Reviews: x'],
  ['/employers', { employer_type: 'constructor' }, 'Employers: constructor'],
  ['/employers', CLINICS, 'Employers: Clinic, Helipad, at least 20 beds'],
] as const)('%s %j has the title %j', (page, criteria, title) => {
  expect(searchTitle(page, criteria)).toBe(title);
});
