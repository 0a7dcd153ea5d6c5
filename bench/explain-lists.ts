/**
 * Times the lists of reviews and employers on a database that bench/seed.ts has filled, and prints
 * the tables of docs/queries.md and the plans of the slowest queries:
 * `DATABASE_URL=… node bench/explain-lists.ts [--every] [--plans 5]`.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openDatabase } from '#server/db/open.ts';
import { EMPLOYERS } from '#server/features/employers/directory/directory-query.ts';
import { REVIEWS } from '#server/features/reviews/list/list-query.ts';
import { list } from '#server/listing/listing.ts';
import { NOTHING_KEPT } from './cold-app.ts';
import { type Case, explainAll } from './explain.ts';
import {
  EMPLOYER_CASES,
  everyCombination,
  FILTERS,
  ORDERINGS,
  SEARCH_FILTERS,
  SEARCHES,
} from './list-cases.ts';
import { stopwatch } from './stopwatch.ts';

const PAGES = [
  { page: 1, limit: 25 },
  { page: 20, limit: 25 },
  { page: 500, limit: 250 },
];
/** PostgreSQL replans a named statement on its first five runs. */
const SETTLED = 6;
const RUNS = 3;

const { values } = parseArgs({
  options: {
    every: { type: 'boolean', default: false },
    plans: { type: 'string', default: '5' },
  },
});
const connectionString = process.env['DATABASE_URL'] ?? '';
const { db, close } = openDatabase({ connectionString, max: 1 }, () => {});
const timed = await stopwatch(db);

interface Timed extends Case {
  readonly milliseconds: number;
  readonly limit: number;
}

const reviews = ({ search, ...asked }: (typeof FILTERS)[number], page: number): Case => ({
  title: `reviews ${JSON.stringify({ ...asked, search })} page ${page}`,
  ask: (on) =>
    list({ db: on, cache: NOTHING_KEPT }, REVIEWS, { ...asked, page, page_size: 20 }, search),
});
const employers = ({ search, ...asked }: (typeof EMPLOYER_CASES)[number], page: number): Case => ({
  title: `employers ${JSON.stringify({ ...asked, search })} page ${page}`,
  ask: (on) =>
    list({ db: on, cache: NOTHING_KEPT }, EMPLOYERS, { ...asked, page, page_size: 20 }, search),
});

/** The row count, and the milliseconds of a request with empty caches. */
async function time(one: Case, limit: number): Promise<Timed & { count: number }> {
  let count = 0;
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const taken = await timed(async () => {
      ({ count } = (await one.ask(db)) as { count: number });
    });
    milliseconds = Math.min(milliseconds, taken);
  }
  return { ...one, milliseconds, limit, count };
}

const inEveryOrder = <T extends object>(all: readonly T[]) =>
  all.flatMap((asked) => ORDERINGS.map((ordering) => ({ ...asked, ordering })));
const searches = SEARCHES.flatMap((search) => [
  { search },
  ...(values.every ? SEARCH_FILTERS.map((filter) => ({ ...filter, search })) : []),
]);

const KINDS = [
  {
    kind: 'reviews, filtered',
    of: reviews,
    asked: inEveryOrder(values.every ? everyCombination() : FILTERS),
  },
  { kind: 'reviews, searched', of: reviews, asked: [...searches, ...inEveryOrder(searches)] },
  { kind: 'employers', of: employers, asked: EMPLOYER_CASES },
] as const;

for (let run = 0; run < SETTLED; run += 1) {
  for (const asked of FILTERS) await reviews(asked, 1).ask(db);
  for (const asked of EMPLOYER_CASES) await employers(asked, 1).ask(db);
}
const slow: Timed[] = [];
console.log('| list | page | requests | median ms | slowest ms | limit | over limit |');
console.log('|---|---|---|---|---|---|---|');
for (const { kind, of, asked } of KINDS) {
  for (const { page, limit } of PAGES) {
    const all: Timed[] = [];
    for (const one of asked) {
      const result = await time(of(one as never, page), limit);
      if ((page - 1) * 20 < result.count) all.push(result);
    }
    all.sort((a, b) => b.milliseconds - a.milliseconds);
    const [slowest, middle] = [all[0], all[Math.floor(all.length / 2)]];
    const over = all.filter(({ milliseconds }) => milliseconds > limit).length;
    const times = [middle, slowest].map((one) => one?.milliseconds.toFixed(1) ?? '');
    console.log(
      `| ${kind} | ${page} | ${all.length} | ${times.join(' | ')} | ${limit} | ${over} |`,
    );
    slow.push(...all.slice(0, Number(values.plans)));
  }
}
slow.sort((a, b) => b.milliseconds / b.limit - a.milliseconds / a.limit);
for (const { title, milliseconds } of slow.slice(0, 20)) {
  console.log(`\n${title}: ${milliseconds.toFixed(1)} ms`);
}
for (const { title, sql, text, milliseconds } of await explainAll(
  connectionString,
  slow.slice(0, Number(values.plans)),
)) {
  console.log(`### ${title}: ${milliseconds} ms\n\n\`\`\`sql\n${sql.trim()}\n\`\`\`\n\n${text}\n`);
}
await close();
