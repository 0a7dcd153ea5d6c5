/**
 * Prints the plans of the employer queries, for docs/queries.md:
 * `DATABASE_URL=… node bench/explain-employers.ts` on a database that bench/seed.ts has filled.
 */
import process from 'node:process';
import type { EmployerQuery } from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';
import {
  countEmployers,
  selectMatches,
  selectPage,
} from '#server/features/employers/directory-queries.ts';
import { selectFilterOptions } from '#server/features/employers/filter-options.ts';
import { selectInsights } from '#server/features/employers/insights.ts';
import { currentIds, selectByIds } from '#server/features/employers/queries.ts';
import { understand } from '#server/features/employers/understand.ts';
import { type Case, explainAll } from './explain.ts';

type Criteria = Partial<EmployerQuery>;
const first = { page: 1, page_size: 20 };

const list = (criteria: Criteria): Case => ({
  title: `list ${JSON.stringify(criteria)}`,
  ask: (db) => selectPage(db, { ...first, ...criteria }),
});
const count = (criteria: Criteria): Case => ({
  title: `count ${JSON.stringify(criteria)}`,
  ask: (db) => countEmployers(db, { ...first, ...criteria }),
});
const search = (words: string, criteria: Criteria = {}): Case => ({
  title: `search "${words}" ${JSON.stringify(criteria)}`,
  async ask(db: Db) {
    const query = await understand(db, words);
    if (!query) return;
    const all = { ...first, ...criteria };
    await selectMatches(db, all, query, Number(await countEmployers(db, all, query)));
  },
});

/** The employers are numbered by their size, and the largest have most of the reviews. */
const LARGEST = [1, 2, 3, 4];

const CASES: Case[] = [
  list({}),
  list({ page: 500 }),
  list({ ordering: '-name' }),
  list({ ordering: '-bed_count' }),
  list({ ordering: 'bed_count' }),
  list({ ordering: '-overall_rating' }),
  list({ ordering: '-total_reviews' }),
  list({ ordering: '-created_at' }),
  list({ state: 'TX' }),
  list({ state: 'VT', ordering: '-overall_rating' }),
  list({ employer_type: 'fellowship' }),
  list({ employer_type: 'fellowship', ordering: '-total_reviews' }),
  list({ ownership_type: 'Government - Federal' }),
  list({ trauma_level: 'Level I' }),
  list({ trauma_level: 'Level I', ordering: '-overall_rating' }),
  list({ hospital_status: 'Closed' }),
  list({ has_helipad: 'true', ordering: '-bed_count' }),
  list({ min_beds: 1400 }),
  list({ min_beds: 1400, ordering: '-created_at' }),
  list({ min_staff: 8000, max_staff: 8100, ordering: '-overall_rating' }),
  list({ hospitals_only: 'true', state: 'WY', min_beds: 900, trauma_level: 'Level V' }),
  list({ state: 'ZZ', ordering: '-overall_rating' }),
  count({}),
  count({ state: 'TX' }),
  count({ hospital_status: 'Open', has_helipad: 'true', min_beds: 10 }),
  search('aldergate cedarford'),
  search('st mary'),
  search('childrens hosp texas'),
  search('hospital'),
  search('hospital', { page: 200 }),
  search('hospital', { ordering: '-overall_rating' }),
  search('medical center', { state: 'CA', ordering: 'name' }),
  search('aldergait cederford'),
  search('quillon zzyzx clinic'),
  { title: 'filter options', ask: selectFilterOptions },
  { title: 'detail', ask: (db) => Promise.all([currentIds(db, [1]), selectByIds(db, [1])]) },
  { title: 'insights', ask: (db) => selectInsights(db, [1], new Date()) },
  { title: 'compare', ask: (db) => selectInsights(db, LARGEST, new Date()) },
];

const connectionString = process.env['DATABASE_URL'];
if (!connectionString) throw new Error('DATABASE_URL must name a database');
const plans = await explainAll(connectionString, CASES);
for (const { title, sql, text, milliseconds } of plans) {
  console.log(`### ${title}: ${milliseconds} ms\n\n\`\`\`sql\n${sql.trim()}\n\`\`\`\n\n${text}\n`);
}
console.log('| query | ms |\n|---|---|');
for (const { title, milliseconds } of plans) console.log(`| ${title} | ${milliseconds} |`);
