/**
 * Times the lists of reviews on a database that bench/seed.ts has filled, through the server's own
 * service, as rows of docs/queries.md: `DATABASE_URL=… node bench/list-reviews.ts [every]`.
 * `first`: nothing is kept, as after a write. `jump`: page 500, without those before. All others:
 * counts, and where pages of a search end, are kept. Each is the fastest of its runs; these are
 * enough for PostgreSQL to have settled on its plans.
 */
import process from 'node:process';
import { openPublicCache } from '#server/cache/public-cache.ts';
import { openDatabase } from '#server/db/open.ts';
import { listReviews, reviewFilterOptions } from '#server/features/reviews/service.ts';
import {
  type Asked,
  everyCombination,
  FILTERS,
  ORDERINGS,
  SEARCH_FILTERS,
  SEARCHES,
} from './review-queries.ts';
import { stopwatch } from './stopwatch.ts';

const RUNS = 4;
const SETTLED = 6;
const FAR_PAGE = 500;
const PAGE_SIZE = 20;
const SLOW_MS = 25;

const connectionString = process.env['DATABASE_URL'];
const { db, close } = openDatabase({ connectionString, max: 1 }, () => {});
const listening = openDatabase({ connectionString, max: 1 }, () => {});
const cache = await openPublicCache(listening.pool);
const deps = { db, cache, clock: () => new Date() };
const timed = await stopwatch(db);
const slowest: { what: string; milliseconds: number }[] = [];

const answer = (asked: Asked, page = 1) =>
  listReviews(deps, { ...asked, page, page_size: PAGE_SIZE });

async function fastest(what: string, work: () => Promise<unknown>, runs = RUNS): Promise<number> {
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    milliseconds = Math.min(milliseconds, await timed(work));
  }
  slowest.push({ what, milliseconds });
  return milliseconds;
}

const first = (what: string, work: () => Promise<unknown>, runs = RUNS) =>
  fastest(
    what,
    () => {
      cache.changed(['reviews', 'votes']);
      return work();
    },
    runs,
  );

async function measure(asked: Asked, runs = RUNS) {
  const name = JSON.stringify(asked);
  const uncounted = await first(`first ${name}`, () => answer(asked), runs);
  const { count } = await answer(asked);
  const pages = [];
  for (const page of count > (FAR_PAGE - 1) * PAGE_SIZE ? [1, FAR_PAGE] : [1]) {
    pages.push(await fastest(`page ${page} ${name}`, () => answer(asked, page), runs));
  }
  return { count, uncounted, pages };
}

const shown = (milliseconds: readonly number[]) =>
  milliseconds.map((one) => one.toFixed(1)).join(' · ');

async function tableOfFilters() {
  console.log(`| filter | reviews | first | ${ORDERINGS.join(' | ')} |`);
  console.log(`|---|---|---|${ORDERINGS.map(() => '---|').join('')}`);
  for (const filter of FILTERS) {
    const measured = [];
    for (const ordering of ORDERINGS) measured.push(await measure({ ...filter, ordering }));
    const [{ count, uncounted } = { count: 0, uncounted: 0 }] = measured;
    const cells = measured.map(({ pages }) => shown(pages)).join(' | ');
    console.log(`| \`${JSON.stringify(filter)}\` | ${count} | ${shown([uncounted])} | ${cells} |`);
  }
}

async function tableOfSearches() {
  console.log('| search | reviews | first | page 1 | page 500 | jump |\n|---|---|---|---|---|---|');
  for (const search of SEARCHES) {
    const { count, uncounted, pages } = await measure({ search });
    const [near = 0, far] = pages;
    const jump = far && (await first(`jump "${search}"`, () => answer({ search }, FAR_PAGE)));
    const cells = [uncounted, near, far, jump].map((one) => (one ? one.toFixed(1) : ''));
    console.log(`| "${search}" | ${count} | ${cells.join(' | ')} |`);
  }
}

/** How many of a kind are over the limit, and the slowest of them. */
async function summary(title: string, all: readonly Asked[]) {
  slowest.length = 0;
  for (const asked of all) await measure(asked, 2);
  for (const kind of ['first', `page 1 `, `page ${FAR_PAGE} `]) {
    const these = slowest.filter(({ what }) => what.startsWith(kind));
    these.sort((a, b) => b.milliseconds - a.milliseconds);
    const slow = these.filter(({ milliseconds }) => milliseconds > SLOW_MS);
    console.log(`\n${title}, ${kind.trim()}: ${these.length}, ${slow.length} over ${SLOW_MS} ms`);
    for (const { what, milliseconds } of these.slice(0, 5)) {
      console.log(`| ${what} | ${milliseconds.toFixed(1)} |`);
    }
  }
}

const inEveryOrder = (all: readonly Asked[]) =>
  all.flatMap((asked) => ORDERINGS.map((ordering) => ({ ...asked, ordering })));

// PostgreSQL plans a statement anew five times, and then may settle on one plan for all values.
for (const asked of inEveryOrder(FILTERS)) await fastest('', () => answer(asked), SETTLED);

if (process.argv[2] === 'every') {
  await summary('Every combination of filters', inEveryOrder(everyCombination()));
  await summary('Searches in every order', inEveryOrder(SEARCHES.map((search) => ({ search }))));
  const narrowed = SEARCH_FILTERS.flatMap((f) => SEARCHES.map((search) => ({ ...f, search })));
  await summary('Searches with a filter', inEveryOrder(narrowed));
} else {
  await tableOfFilters();
  await tableOfSearches();
  const options = await first('options', () => reviewFilterOptions(deps));
  console.log(`| filter options | | ${shown([options])} | | | |`);
}
await cache.close();
await listening.close();
await close();
