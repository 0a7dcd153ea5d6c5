import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Page } from '#contract/paging.ts';
import { REVIEW_ORDERING_KEYS, type ReviewOrdering } from '#contract/review-choices.ts';
import type { ReviewQuery } from '#contract/reviews/review-queries.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { reviewRow } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';

/** Review -> how many found it helpful, and not helpful. */
const votes = new Map<string, readonly [good: number, bad: number]>();
const VOTES = [
  [0, 0],
  [1, 0],
  [0, 3],
  [40, 5],
  [2, 1],
  [20, 60],
  [12, 0],
] as const;
const TITLES = ['Hospitalist', 'Cardiologist', 'Chief Resident'];
const SPECIALTIES = ['Cardiovascular Disease', null, 'Hand Surgery', 'Cardiovascular Disease'];
const PLACES = [
  { name: 'Cedar Valley Hospital', city: 'Springfield', state: 'IL' },
  { name: 'San José Médica', city: 'San José', state: 'CA' },
  { name: 'Lakeside Clinic', city: 'SPRINGFIELD', state: 'MA' },
  { name: 'Nowhere Medical Group', city: null, state: null },
];

const votesOf = (at: number) => VOTES[at % VOTES.length] ?? VOTES[0];

/** Reviews in every combination. Filters and orders are then compared with plain array code. */
const test = testWith().extend(
  'all',
  { scope: 'file', auto: true },
  async ({ site }): Promise<Review[]> => {
    const ids: number[] = [];
    for (const place of PLACES) ids.push(await site.employer(place));
    const rows = Array.from({ length: 240 }, (_, at) =>
      reviewRow(ids[at % 4] ?? 0, {
        // Several share a minute, and also need a defined order.
        created_at: new Date(Date.UTC(2024, 0, 1, 0, Math.floor(at / 3))),
        overall_rating: 1 + (at % 5),
        review_text: at % 7 === 0 ? 'Endless paperwork on weekends.' : 'A calm place.',
        pros: at % 11 === 0 ? 'Parking' : '',
        position_title: TITLES[at % 3] ?? '',
        specialty: SPECIALTIES[Math.floor(at / 5) % 4] ?? null,
        end_year: at % 2 === 0 ? null : 2023,
        is_current_employee: at % 2 === 0,
        would_recommend: at % 8 < 5,
        removed_reason: at % 40 === 39 ? 'Removed.' : null,
        helpful_count: votesOf(at)[0],
        not_helpful_count: votesOf(at)[1],
      }),
    );
    const inserted = await site.deps.db
      .insertInto('reviews')
      .values(rows)
      .returning(['id', 'helpful_count', 'not_helpful_count'])
      .execute();
    for (const { id, helpful_count, not_helpful_count } of inserted) {
      votes.set(id, [helpful_count, not_helpful_count]);
    }
    site.deps.cache.changed(['reviews']);
    const pages = [1, 2, 3].map((page) => list(site, { page, page_size: 100 }));
    return (await Promise.all(pages)).flatMap(({ results }) => results);
  },
);

type Query = Partial<Record<keyof ReviewQuery, string | number>>;
const list = async (site: Site, query: Query) =>
  (await site.visitor().get(reviewEndpoints.list, { query })).body;
const idsOf = (reviews: Review[]) => reviews.map(({ id }) => id);

test('lists published reviews, newest first', ({ all }) => {
  expect(all).toHaveLength(234);
  expect(idsOf(all)).toEqual(idsOf(all.toSorted(newest)));
});

const newest = (a: Review, b: Review) =>
  b.created_at.localeCompare(a.created_at) || a.id.localeCompare(b.id);
const ORDERS: Record<ReviewOrdering, (a: Review, b: Review) => number> = {
  '-created_at': newest,
  created_at: (a, b) => -newest(a, b),
  '-overall_rating': (a, b) => b.overall_rating - a.overall_rating || newest(a, b),
  overall_rating: (a, b) => a.overall_rating - b.overall_rating || newest(a, b),
  '-helpful': (a, b) => helpfulness(b) - helpfulness(a) || newest(a, b),
};
/** Wilson's lower bound (E. B. Wilson, 1927) for a share `p` of `n`. */
function helpfulness({ id }: Review): number {
  const [good, bad] = votes.get(id) ?? [0, 0];
  if (good === 0) return 0;
  const n = good + bad;
  const p = good / n;
  const z = 1.96;
  const spread = z * Math.sqrt((p * (1 - p) + z ** 2 / (4 * n)) / n);
  return (p + z ** 2 / (2 * n) - spread) / (1 + z ** 2 / n);
}
const folded = (text: string | null) =>
  (text ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const FILTERS: Record<
  Exclude<keyof ReviewQuery, 'page' | 'page_size' | 'ordering'>,
  readonly [Query, (review: Review) => boolean]
> = {
  search: [{ search: 'paperw weekend' }, ({ review_text }) => /paperwork/.test(review_text)],
  position_title: [
    { position_title: 'chief RESIDENT' },
    ({ position_title }) => position_title === 'Chief Resident',
  ],
  specialty: [
    { specialty: 'Cardiovascular Disease' },
    ({ specialty }) => specialty === 'Cardiovascular Disease',
  ],
  state: [{ state: 'il' }, ({ employer }) => employer.state === 'IL'],
  city: [
    { city: 'springfield, san jose' },
    ({ employer }) => ['springfield', 'san jose'].includes(folded(employer.city)),
  ],
  min_rating: [{ min_rating: 2 }, ({ overall_rating }) => overall_rating >= 2],
  max_rating: [{ max_rating: 4 }, ({ overall_rating }) => overall_rating <= 4],
  would_recommend: [{ would_recommend: 'false' }, (review) => !review.would_recommend],
  is_current_employee: [{ is_current_employee: 'true' }, (review) => review.is_current_employee],
};

test('all filters and orders match a plain implementation', async ({ site, all }) => {
  const filters = Object.values(FILTERS);
  for (let mask = 0; mask < 2 ** filters.length; mask += 1) {
    const chosen = filters.filter((_, at) => mask & (1 << at));
    const ordering = REVIEW_ORDERING_KEYS[mask % REVIEW_ORDERING_KEYS.length] ?? 'created_at';
    const query: Query = Object.assign({}, ...chosen.map((one) => one?.[0]));
    const expected = all
      .filter((review) => chosen.every((one) => one?.[1](review)))
      .toSorted(ORDERS[ordering]);
    const { count, results } = await list(site, { ...query, ordering, page_size: 25 });
    expect([query, ordering, count]).toEqual([query, ordering, expected.length]);
    expect(idsOf(results)).toEqual(idsOf(expected.slice(0, 25)));
  }
});

test.for(REVIEW_ORDERING_KEYS)(
  'pages in order %s never overlap',
  async (ordering, { site, all }) => {
    const seen: string[] = [];
    let next: string | null = `/api/reviews/?ordering=${ordering}&page_size=50`;
    while (next) {
      const page: Page<Review> = (await site.app.inject(next)).json();
      seen.push(...idsOf(page.results));
      next = page.next;
    }
    expect(seen).toEqual(idsOf(all.toSorted(ORDERS[ordering])));
  },
);

test.for(['paperwork', 'calm place'])(
  'pages of the search %j never overlap',
  async (search, { site, all }) => {
    for (const ordering of REVIEW_ORDERING_KEYS) {
      const matching = all.filter(({ review_text }) => review_text.toLowerCase().includes(search));
      const expected = idsOf(matching.toSorted(ORDERS[ordering]));
      const page = async (n: number) =>
        idsOf((await list(site, { search, ordering, page: n, page_size: 7 })).results);
      site.deps.cache.changed(['reviews']);
      // Jumps to a page, reads on, and then reads from the start.
      const jump = [...(await page(3)), ...(await page(4))];
      expect(jump).toEqual(expected.slice(14, 28));
      const read = [...(await page(1)), ...(await page(2)), ...(await page(3))];
      expect(read).toEqual(expected.slice(0, 21));
      expect(await page(1 + Math.ceil(expected.length / 7))).toEqual([]);
    }
  },
);

test('a search matches employer, place, and position, by prefix and regardless of accents and typos', async ({
  site,
  all,
}) => {
  const found = async (search: string) =>
    new Set(
      (await list(site, { search, page_size: 100 })).results.map(({ employer }) => employer.name),
    );
  expect(await found('ceda val')).toEqual(new Set(['Cedar Valley Hospital']));
  expect(await found('san jose')).toEqual(new Set(['San José Médica']));
  expect(await found('José')).toEqual(new Set(['San José Médica']));
  expect(await found('massachusetts')).toEqual(new Set(['Lakeside Clinic']));
  expect(await found('lakside')).toEqual(new Set(['Lakeside Clinic']));
  expect(await found('sanjose')).toEqual(new Set(['San José Médica']));
  expect((await list(site, { search: 'cardiolgist' })).count).toBe(
    all.filter(({ position_title }) => position_title === 'Cardiologist').length,
  );
  // "hospitl" is most like "hospital", which only names the other employer.
  expect((await list(site, { search: 'hospitl lakeside' })).count).toBe(
    all.filter((r) => r.position_title === 'Hospitalist' && r.employer.name === 'Lakeside Clinic')
      .length,
  );
  expect((await list(site, { search: 'cardiologist illinois' })).count).toBe(
    all.filter((r) => r.position_title === 'Cardiologist' && r.employer.state === 'IL').length,
  );
  expect((await list(site, { search: 'xylophone' })).count).toBe(0);
  for (const odd of ['---', "'", '\\', ':*', '!&|()', '%_', '\u0000x'.slice(1)]) {
    expect(await list(site, { search: odd })).toHaveProperty('count');
  }
});

test('a state and a city mean the same with and without a search', async ({ site }) => {
  const count = async (query: object) =>
    (await site.visitor().get(reviewEndpoints.list, { query })).body.count;
  for (const odd of [{ state: 'I-L' }, { state: "'" }, { city: '山'.repeat(700) }]) {
    expect([odd, await count(odd), await count({ ...odd, search: 'calm' })]).toEqual([odd, 0, 0]);
  }
});

test('sorts by best match if no order is requested', async ({ site }) => {
  const { db, cache } = site.deps;
  const employer = await site.employer({ name: 'Paperwork Memorial', city: null });
  const oldest = await db
    .insertInto('reviews')
    .values(reviewRow(employer, { created_at: new Date(Date.UTC(2020, 0, 1)) }))
    .returning('id')
    .executeTakeFirst();
  cache.changed(['reviews']);
  const best = await list(site, { search: 'paperwork' });
  expect(best.results[0]?.id).toBe(oldest?.id);
  const byDate = await list(site, { search: 'paperwork', ordering: '-created_at' });
  expect(byDate.results[0]?.id).not.toBe(oldest?.id);
  await db.deleteFrom('reviews').where('employer_id', '=', employer).execute();
  cache.changed(['reviews']);
});

test('offers existing values as options, each in one spelling', async ({ site }) => {
  const { body: options } = await site.visitor().get(reviewEndpoints.filterOptions);
  expect(options).toMatchObject({
    position_titles: ['Cardiologist', 'Chief Resident', 'Hospitalist'],
    specialties: ['Cardiovascular Disease', 'Hand Surgery'],
    states: ['CA', 'IL', 'MA'],
    total_reviews: 234,
    rating_options: [4, 3, 2, 1].map((n) => ({ value: `${n}`, label: `${n}+ stars` })),
  });
  expect(options.cities).toHaveLength(2);
  expect(options.cities[0]).toBe('San José');
});

test.for([
  'page=0',
  'page_size=101',
  'min_rating=6',
  'max_rating=0',
  'would_recommend=yes',
  'ordering=id',
  'author=1',
])('rejects ?%s', async (query, { site }) => {
  expect((await site.app.inject(`/api/reviews/?${query}`)).statusCode).toBe(400);
});
