/**
 * Prints the plans of all that a list of reviews asks after a write, for docs/queries.md:
 * `DATABASE_URL=… node bench/explain-reviews.ts` on a database that bench/seed.ts has filled.
 */
import process from 'node:process';
import { openPublicCache } from '#server/cache/public-cache.ts';
import { openDatabase } from '#server/db/open.ts';
import { listReviews, reviewFilterOptions } from '#server/features/reviews/service.ts';
import { type Case, explainAll } from './explain.ts';
import type { Asked } from './review-queries.ts';

const connectionString = process.env['DATABASE_URL'];
if (!connectionString) throw new Error('DATABASE_URL must name a database');
const listening = openDatabase({ connectionString, max: 1 }, () => {});
const cache = await openPublicCache(listening.pool);
const clock = () => new Date();

const list = (asked: Asked, page = 1): Case => ({
  title: `page ${page} ${JSON.stringify(asked)}`,
  ask(db) {
    cache.changed(['reviews', 'votes']);
    return listReviews({ db, clock, cache }, { ...asked, page, page_size: 20 });
  },
});

const CASES: Case[] = [
  list({}),
  list({ min_rating: 4 }, 500),
  list({ min_rating: 5 }, 500),
  list({ state: 'TX', is_current_employee: 'true', ordering: 'created_at' }, 500),
  list({ position_title: 'Hospitalist', ordering: '-overall_rating' }, 500),
  list({ position_title: 'Hospitalist', ordering: '-helpful' }, 500),
  list({ position_title: 'Hospitalist', state: 'TX' }, 500),
  list({ would_recommend: 'true', ordering: 'overall_rating' }, 500),
  list({ city: 'Elmhurst,Deerhurst', position_title: 'Hospitalist', ordering: '-helpful' }),
  list({ employer_id: 1, ordering: '-helpful' }),
  list({ employer_id: 9000, ordering: '-overall_rating' }),
  list({ search: 'california cardiologist' }),
  list({ search: 'parking' }),
  list({ search: 'parking', ordering: '-overall_rating' }, 500),
  list({ search: 'nights', state: 'TX', ordering: '-helpful' }),
  list({ search: 'sprigville' }),
  { title: 'filter options', ask: (db) => reviewFilterOptions({ db, cache }) },
];

const plans = await explainAll(connectionString, CASES);
for (const { title, sql, text, milliseconds } of plans) {
  console.log(`### ${title}: ${milliseconds} ms\n\n\`\`\`sql\n${sql.trim()}\n\`\`\`\n\n${text}\n`);
}
await cache.close();
await listening.close();
