import { sql } from 'kysely';
import { EMPLOYER_ORDERING_KEYS } from '#contract/employers/employer-choices.ts';
import { STATE_NAMES } from '#contract/employers/states.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { expect, invalid, type Site, testWith } from '#server/testing/site.ts';

const { filterOptions, insights, list, read, reviews } = employerEndpoints;
const ids: Record<string, number> = {};

const EMPLOYERS = {
  anchor: { name: 'Anchor Hospital', state: 'TX', bed_count: 100, trauma_level: 'Level I' },
  birch: { name: "St. Birch's", state: 'TX', bed_count: 300, has_helipad: true, staff_count: 40 },
  cove: { name: 'Cove', state: 'VT', bed_count: null, hospital_status: 'Closed' },
  dune: { name: 'Dune Residency', state: 'VT', employer_type: 'residency', has_helipad: false },
  elm: { name: 'Élan', state: 'TX', bed_count: 100, ownership_type: 'Non-Profit', staff_count: 9 },
};

const test = testWith();
test.beforeAll(async ({ site }) => {
  for (const [key, fields] of Object.entries(EMPLOYERS)) {
    ids[key] = await site.employer({ hospital_status: 'Open', ...fields });
  }
});

const find = (site: Site, query: string) =>
  site.visitor().get(list, { query: invalid(Object.fromEntries(new URLSearchParams(query))) });
async function keysOf(site: Site, query: string): Promise<string[]> {
  const { results } = (await find(site, query)).body;
  return results.map(({ id }) => Object.keys(ids).find((key) => ids[key] === id) ?? '?');
}

test.for([
  ['state=tx', ['anchor', 'elm', 'birch']],
  ['employer_type=residency', ['dune']],
  ['ownership_type=Non-Profit', ['elm']],
  ['trauma_level=Level%20I', ['anchor']],
  ['hospital_status=Closed', ['cove']],
  ['has_helipad=true', ['birch']],
  ['has_helipad=false', ['dune']],
  ['min_beds=101', ['birch']],
  ['max_beds=100', ['anchor', 'elm']],
  ['min_beds=100&max_beds=100&state=TX', ['anchor', 'elm']],
  ['min_staff=10', ['birch']],
  ['max_staff=9', ['elm']],
  ['hospitals_only=true&state=VT', ['cove']],
  ['hospitals_only=false&state=VT', ['cove', 'dune']],
  ['has_reviews=true&state=VT', []],
  ['has_reviews=false&state=VT', ['cove', 'dune']],
  ['state=ZZ', []],
  ['state=TX&page_size=2&page=2', ['birch']],
  ['page=9', []],
] as const)('GET /employers/?%s', async ([query, keys], { site }) => {
  expect(await keysOf(site, query)).toEqual(keys);
});

test.for([
  ['name', ['anchor', 'cove', 'dune', 'elm', 'birch']],
  ['-name', ['birch', 'elm', 'dune', 'cove', 'anchor']],
  ['-bed_count', ['birch', 'anchor', 'elm', 'cove', 'dune']],
  ['bed_count', ['anchor', 'elm', 'birch', 'cove', 'dune']],
] as const)('ordering=%s puts nulls last', async ([ordering, keys], { site }) => {
  expect(await keysOf(site, `ordering=${ordering}`)).toEqual(keys);
});

test('every order works with every filter and search, with the same count', async ({ site }) => {
  const filters = ['', '&state=TX', '&search=hospital', '&search=texas&min_beds=1&state=TX'];
  for (const filter of filters) {
    const counts = new Set<number>();
    for (const ordering of EMPLOYER_ORDERING_KEYS) {
      const { count, results } = (await find(site, `ordering=${ordering}${filter}`)).body;
      counts.add(count);
      expect(new Set(results.map(({ id }) => id)).size).toBe(count);
    }
    expect(counts.size).toBe(1);
  }
});

test.for([
  ['page=0', 'page'],
  ['page=x', 'page'],
  ['page_size=101', 'page_size'],
  ['page_size=0', 'page_size'],
  ['employer_type=ward', 'employer_type'],
  ['trauma_level=I', 'trauma_level'],
  ['has_helipad=yes', 'has_helipad'],
  ['hospitals_only=1', 'hospitals_only'],
  ['has_reviews=yes', 'has_reviews'],
  ['min_beds=-1', 'min_beds'],
  ['max_beds=1.5', 'max_beds'],
  ['min_staff=ten', 'min_staff'],
  ['max_staff=1000001', 'max_staff'],
  ['min_beds=5&max_beds=4', 'min_beds'],
  ['min_staff=5&max_staff=4', 'min_staff'],
  ['ordering=beds', 'ordering'],
  [`search=${'x'.repeat(201)}`, 'search'],
  ['sort=name', 'sort'],
] as const)('rejects GET /employers/?%s for %s', async ([query, field], { site }) => {
  expect((await find(site, query)).problem).toMatchObject({
    status: 400,
    code: 'validation_error',
    errors: { [field]: [expect.any(String)] },
  });
});

test('titles and the search know the same names of states', async ({ site }) => {
  const { rows } = await sql<{ code: string; name: string }>`
    select code, state_name(code) as name from unnest(${Object.keys(STATE_NAMES)}::text[]) as code`.execute(
    site.deps.db,
  );
  const lower = Object.entries(STATE_NAMES).map(([code, name]) => [code, name.toLowerCase()]);
  expect(rows.map(({ code, name }) => [code, name])).toEqual(lower);
});

test('filter options have a count for each choice', async ({ site }) => {
  expect((await site.visitor().get(filterOptions)).body).toEqual({
    total_employers: 5,
    states: ['TX', 'VT'],
    employer_types: [
      { value: 'hospital', label: 'Hospital' },
      { value: 'residency', label: 'Residency' },
    ],
    ownership_types: ['Non-Profit', 'Not Specified'],
    specialties: [],
    trauma_levels: ['Level I'],
    hospital_statuses: ['Closed', 'Open'],
    counts: {
      states: { TX: 3, VT: 2 },
      employer_types: { hospital: 4, residency: 1 },
      ownership_types: { 'Non-Profit': 1, 'Not Specified': 4 },
      trauma_levels: { 'Level I': 1 },
      hospital_statuses: { Closed: 1, Open: 4 },
      has_helipad: { true: 1, false: 1 },
    },
  });
});

test('filter options count within a state; state counts do not', async ({ site }) => {
  const optionsIn = async (state: string) =>
    (await site.visitor().get(filterOptions, { query: { state } })).body;
  const options = await optionsIn('vt');
  expect(options).toMatchObject({
    total_employers: 5,
    states: ['TX', 'VT'],
    counts: { states: { TX: 3, VT: 2 } },
  });
  const { employer_types, ownership_types, trauma_levels } = options.counts;
  const sum = (counts: Record<string, number>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  expect([sum(employer_types), sum(ownership_types)]).toEqual([2, 2]);
  expect(sum(trauma_levels)).toBeLessThanOrEqual(1);
  expect(await optionsIn('ZZ')).toMatchObject({
    total_employers: 5,
    trauma_levels: ['Level I'],
    counts: { employer_types: { hospital: 0, residency: 0 }, trauma_levels: { 'Level I': 0 } },
  });
});

test.for(['999999', '2147483648', 'x', '1.5', '0'])(
  'returns 404 for the employer %s',
  async (id, { site }) => {
    const status = id === '999999' ? 404 : 400;
    for (const endpoint of [read, reviews, insights]) {
      expect((await site.visitor().get(endpoint, { params: { id } })).status).toBe(status);
    }
  },
);
