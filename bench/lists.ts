/**
 * Times 2,000 random requests for lists of reviews, the same for the same seed, on a database that
 * bench/seed.ts has filled, and prints the rows of the table in docs/performance.md and the slowest
 * requests: `DATABASE_URL=… node bench/lists.ts [--requests 2000]`. Nothing is cached. Times are of
 * the processor.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import { openDatabase } from '#server/db/open.ts';
import { countAllReviews } from '#server/features/employers/queries.ts';
import {
  REVIEWS,
  type ReviewCriteria,
  selectFilterOptions,
} from '#server/features/reviews/list/list-query.ts';
import { listPage } from '#server/listing/list-page.ts';
import { NOTHING_KEPT } from './cold-app.ts';
import { pickFrom, randomOf } from './random.ts';
import { stopwatch } from './stopwatch.ts';

/** A frequent, a middling, and a rare value of each filter. */
const FILTERS = {
  state: ['TX', 'MN', 'WY'],
  city: ['Elmhurst,Deerhurst,Springville', 'Springville', 'Elmhurst'],
  position_title: ['Hospitalist', 'Emergency Physician', 'Medical Director'],
  specialty: ['Hospital Medicine', 'Cardiovascular Disease', 'Vascular Surgery'],
  min_rating: [2, 4, 5],
  max_rating: [4, 2, 1],
  would_recommend: ['true', 'false'],
  is_current_employee: ['true', 'false'],
  // Employers are numbered by size: the first one has the most reviews.
  employer_id: [1, 2000, 15000],
} as const satisfies { [name in keyof ReviewCriteria]?: readonly unknown[] };

/** Words of a fifth of the reviews or more, of some per cent, and of fewer than one in 200. */
const SEARCHES = [
  ...['the', 'visa sponsorship', 'hosptialist'],
  ...['cardiologist', 'wyoming', 'galen'],
  ...['springville', 'lantern rehab', 'inbox 417'],
] as const;

/** How often a request sets a filter, and how often it has a search. */
const FILTER_SHARE = 1 / 5;
const SEARCH_SHARE = 1 / 2;
const PAGES = 20;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});
const connectionString = process.env['DATABASE_URL'] ?? '';
const { db, close } = openDatabase({ connectionString, max: 1 }, () => {});
const random = randomOf(Number(values.seed));

function draw(): { criteria: ReviewCriteria; search?: string } {
  const filters = Object.entries(FILTERS).flatMap(([name, choices]) =>
    random() < FILTER_SHARE ? [[name, pickFrom<unknown>(choices, random())]] : [],
  );
  const ordering = random() < 1 / 2 ? undefined : pickFrom(REVIEW_ORDERING_KEYS, random());
  const page = random() < 1 / 2 ? 1 : 1 + Math.floor(PAGES * random());
  const criteria = { ...Object.fromEntries(filters), ordering, page, page_size: 20 };
  return random() < SEARCH_SHARE
    ? { criteria, search: pickFrom(SEARCHES, random()) }
    : { criteria };
}

const measure = await stopwatch(db);
const timed: { title: string; milliseconds: number }[] = [];
for (let request = 0; request < Number(values.requests); request += 1) {
  const { criteria, search } = draw();
  const title = JSON.stringify({ ...criteria, search });
  const ask = () => listPage({ db, cache: NOTHING_KEPT }, REVIEWS, criteria, search);
  timed.push({ title, milliseconds: await measure(ask) });
}
timed.sort((a, b) => a.milliseconds - b.milliseconds);
const at = (share: number) =>
  (timed[Math.min(timed.length - 1, Math.floor(share * timed.length))]?.milliseconds ?? 0).toFixed(
    1,
  );
console.log('| reviews | requests | median ms | 95 % within | all within | filter options |');
console.log('|---|---|---|---|---|---|');
const options = (await measure(() => selectFilterOptions(db))).toFixed(1);
console.log(
  `| ${await countAllReviews(db)} | ${timed.length} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${options} |`,
);
const slowest = timed.toReversed().slice(0, 20);
for (const { title, milliseconds } of slowest)
  console.log(`${milliseconds.toFixed(1)} ms ${title}`);
await close();
