import { expect, test } from 'vitest';
import { BOUND_MESSAGES } from '#contract/employers/employer-choices.ts';
import {
  boundErrors,
  directoryHeading,
  directoryListing,
  directoryTitle,
} from './directory-listing.ts';

const { number } = BOUND_MESSAGES;
const { read, tidy, chosenFilters, withoutFilters } = directoryListing;
const at = (query: string) => read(`http://curbside.example/employers${query}`);

test('ignores empty and unknown parameters', () => {
  const query = at('?search=+heart+&state=NY&page=3&utm=x&min_beds=');
  expect(query).toEqual({ search: 'heart', state: 'NY' });
  expect(at('?hospitals_only=false')).toEqual({});
  const filters = { hospitals_only: 'true', has_helipad: 'false' };
  expect(at('?hospitals_only=true&has_helipad=false')).toEqual(filters);
});

test('drops NUL characters, which no page may contain', () => {
  expect(at('?search=a%00b&state=%00')).toEqual({ search: 'ab' });
});

test('ordering by name is explicit with a search, and the default without one', () => {
  expect(tidy({ search: '', ordering: 'name' })).toEqual({});
  const searched = { search: 'heart', ordering: 'name' };
  expect(tidy(searched)).toEqual(searched);
  expect(tidy({ ordering: '-name' })).toEqual({ ordering: '-name' });
});

test('search and order do not count as filters', () => {
  const query = at('?search=x&ordering=-name&state=NY&min_beds=5&max_beds=9&hospitals_only=true');
  expect(chosenFilters(query)).toHaveLength(4);
  expect(withoutFilters(query)).toEqual({ search: 'x', ordering: '-name' });
});

test.each([
  [{ min_beds: '9', max_beds: '3' }, { min_beds: BOUND_MESSAGES.beds }],
  [{ min_staff: '10', max_staff: '9' }, { min_staff: BOUND_MESSAGES.staff }],
  [
    { min_beds: '-1', max_beds: 'ten' },
    { min_beds: number, max_beds: number },
  ],
  [{ max_staff: '1000001' }, { max_staff: number }],
  [{ min_beds: '3', max_beds: '3', min_staff: '0', max_staff: ' 9 ' }, {}],
  [{ min_beds: '', max_beds: '3' }, {}],
])('%j', (query, errors) => {
  expect(boundErrors(query)).toEqual(errors);
});

test.each([
  [{}, 'Employers', 'Employers'],
  [{ search: 'houston' }, 'Employers', 'Employers: “houston”'],
  [{ employer_type: 'constructor' }, 'Employers', 'Employers'],
  [{ state: 'fl', ordering: 'name' }, 'Employers in Florida', 'Employers in Florida'],
  [
    { state: 'FL', employer_type: 'hospital', ordering: '-established' },
    'Best-rated hospitals in Florida',
    'Best-rated hospitals in Florida',
  ],
  [
    { specialty: 'Neurology', employer_type: 'residency', search: 'bay', min_beds: '9' },
    'Residencies: Neurology',
    'Residencies: Neurology, “bay”, at least 9 beds',
  ],
  [
    { hospitals_only: 'true', ordering: '-avg_work_life_balance_rating', min_reviews: '3' },
    'Best-rated hospitals by work-life balance',
    'Best-rated hospitals by work-life balance: at least 3 reviews',
  ],
])('%j lists "%s"', (criteria, heading, title) => {
  expect(directoryHeading(criteria)).toBe(heading);
  expect(directoryTitle(criteria)).toBe(title);
});
