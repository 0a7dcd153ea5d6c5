import { describe, expect, test } from 'vitest';
import { reviewListing } from './review-listing.ts';

const { chosenFilters, isNarrowed, isSame, tidy, withoutFilters } = reviewListing;
const read = (query: string) => reviewListing.read(`https://curbside.example/reviews${query}`);

describe('the URL', () => {
  test('is read for its own parameters and no others', () => {
    const query = '?search=icu&position_title=Hospitalist&state=NY&page=2&refreshFilters=true';
    expect(read(query)).toEqual({ search: 'icu', position_title: 'Hospitalist', state: 'NY' });
  });

  test('omits empty values and the default order', () => {
    expect(read('?search=+&state=&ordering=-created_at')).toEqual({});
    const criteria = { search: 'icu', ordering: '-created_at' };
    expect(read('?search=icu&ordering=-created_at')).toEqual(criteria);
  });

  test('may list several cities in any form', () => {
    const criteria = read('?city=Boston,%20Bend,,Boston&city=Albany');
    expect(criteria).toEqual({ city: 'Boston,Bend,Albany' });
  });
});

test('clearing a search removes an order that is then the default', () => {
  expect(tidy({ search: '', ordering: '-created_at' })).toEqual({});
  expect(tidy({ search: '', ordering: 'created_at' })).toEqual({ ordering: 'created_at' });
});

test('ignores spaces around a search', () => {
  expect(isSame({ search: 'icu ' }, { search: 'icu' })).toBe(true);
  expect(isSame({ search: 'icu' }, { search: 'icu', state: 'NY' })).toBe(false);
});

test('an order does not narrow the list, but a search does', () => {
  expect(isNarrowed({ ordering: 'created_at' })).toBe(false);
  expect(isNarrowed({ search: 'icu' })).toBe(true);
});

test('each chosen filter has the criteria that remain without it', () => {
  const filters = { search: 'icu', state: 'ny', city: 'BOSTON,Bend', min_rating: '4' };
  const labels = chosenFilters(filters).map(({ label }) => label);
  expect(labels).toEqual(['NY', 'Boston', 'Bend', '4+ stars']);
  expect(chosenFilters(filters)[1]?.without).toEqual({ ...filters, city: 'Bend' });
  expect(withoutFilters(filters)).toEqual({ search: 'icu' });
});

test('a range of ratings is one filter', () => {
  const labels = (min_rating: string, max_rating: string) =>
    chosenFilters({ min_rating, max_rating }).map(({ label }) => label);
  expect(labels('2', '2')).toEqual(['2 stars']);
  expect(labels('1', '1')).toEqual(['1 star']);
  expect(labels('2', '3')).toEqual(['2 to 3 stars']);
  expect(labels('', '2')).toEqual(['Up to 2 stars']);
  const [range] = chosenFilters({ state: 'ny', min_rating: '2', max_rating: '2' }).slice(1);
  expect(tidy(range?.without ?? {})).toEqual({ state: 'ny' });
});
