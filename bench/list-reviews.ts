/**
 * Times the lists of reviews on a database that bench/seed.ts has filled, through the server's own
 * service, as rows of docs/queries.md: `DATABASE_URL=… node bench/list-reviews.ts`.
 * `first`: nothing is counted yet. Then the fastest of seven, the counts kept.
 */
import process from 'node:process';
import { openDatabase } from '#server/db/open.ts';
import { listReviews, reviewFilterOptions } from '#server/features/reviews/service.ts';
import { openPublicCache } from '#server/plugins/public-cache.ts';

const RUNS = 7;
const FAR_PAGE = 500;
const ORDERINGS = [
  '-created_at',
  'created_at',
  '-overall_rating',
  'overall_rating',
  '-helpful',
] as const;
const FILTERS = [
  {},
  { state: 'TX' },
  { state: 'WY' },
  { city: 'Elmhurst' },
  { city: 'Elmhurst,Deerhurst,Springville' },
  { position_title: 'Hospitalist' },
  { min_rating: 4 },
  { min_rating: 5 },
  { would_recommend: 'true' },
  { would_recommend: 'false' },
  { is_current_employee: 'true' },
  { state: 'CA', min_rating: 4 },
  { position_title: 'Hospitalist', state: 'CA' },
  { min_rating: 5, would_recommend: 'false' },
  { min_rating: 4, would_recommend: 'false', is_current_employee: 'false' },
] as const;
const SEARCHES = `hospital; hospitalist; cardiologist; visa sponsorship; nights; night shifts;
  call burden; scribes; elmhurst; deerhurst general; springville childrens; pennsylvania; texas;
  TX hospitalist; california cardiologist; galen; corvane; lantern rehab; st gabriels;
  wyoming psychiatrist; general surgeon ohio; radiology overnight; overnight; compensation;
  locums weekend; turnover; mentorship; parking; hosptialist; cardiolgist; sprigville;
  radiologst texas; xylophone; the; a; nur; nurses chief resident; inbox 417;
  program 42 vermont; family emergency`.split(/;\s*/);

const { db, pool, close } = openDatabase(
  { connectionString: process.env['DATABASE_URL'] },
  () => {},
);
const cache = await openPublicCache(pool);
const deps = { db, cache, clock: () => new Date() };

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) best = Math.min(best, (await timed(work))[0]);
  return best;
}

async function row(name: string, query: object) {
  const page = (number: number) => () =>
    listReviews(deps, { ...query, page: number, page_size: 20 } as Parameters<
      typeof listReviews
    >[1]);
  cache.changed(['reviews']);
  const [first, { count }] = await timed(page(1));
  const near = await fastest(page(1));
  const isFar = count > (FAR_PAGE - 1) * 20;
  const far = isFar ? (await fastest(page(FAR_PAGE))).toFixed(1) : '';
  console.log(`| ${name} | ${count} | ${first.toFixed(1)} | ${near.toFixed(1)} | ${far} |`);
}

console.log('| query | count | first | again | page 500 |\n|---|---|---|---|---|');
for (const filter of FILTERS) {
  for (const ordering of ORDERINGS) {
    await row(`\`${JSON.stringify(filter)}\` ${ordering}`, { ...filter, ordering });
  }
}
for (const search of SEARCHES) await row(`"${search}"`, { search });
cache.changed(['reviews']);
const [options] = await timed(() => reviewFilterOptions(deps));
console.log(`| filter options | | ${options.toFixed(1)} | | |`);
await cache.close();
await close();
