/**
 * Times 2,000 random requests for lists of reviews, the same each time, and prints a row of the table
 * in docs/performance.md and the slowest requests: `DATABASE_URL=… node bench/lists.ts --reviews
 * 200000`. Nothing is cached.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
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
import { filledDatabase, serverUrl } from './databases.ts';
import { pickFrom, randomOf } from './random.ts';

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

const REQUESTS = 2000;

const { values } = parseArgs({ options: { reviews: { type: 'string', default: '200000' } } });
const sizes = { reviews: Number(values.reviews), employers: 20_000 };
const connectionString = await filledDatabase(serverUrl(), sizes, console.error);
const { db, close } = openDatabase({ connectionString, max: 1 }, () => {});
const random = randomOf(1);

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

/**
 * Milliseconds of processor time, of this process and of the only connection, because other programs
 * share the machine. Wall-clock time if that is less: the two may work at once.
 */
const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
const processorMs = () => {
  const { user, system } = process.cpuUsage();
  const nanoseconds = readFileSync(`/proc/${rows[0]?.pid}/schedstat`, 'utf8').split(' ')[0];
  return Number(nanoseconds) / 1e6 + (user + system) / 1e3;
};

async function measure(work: () => Promise<unknown>): Promise<number> {
  const [began, used] = [performance.now(), processorMs()];
  await work();
  return Math.min(performance.now() - began, processorMs() - used);
}

const timed: { title: string; milliseconds: number }[] = [];
for (let request = 0; request < REQUESTS; request += 1) {
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
