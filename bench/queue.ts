/**
 * Times the case queue with 5,000 cases and 100,000 reviews, one request at a time, in wall-clock
 * time: `DATABASE_URL=… node bench/queue.ts`. Works on its own copy of the database.
 */
import process from 'node:process';
import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { signedInAdmin, signedInDoctor } from '#server/testing/factories.ts';
import { buildColdApp } from './cold-app.ts';
import { filledDatabase, temporaryDatabase } from './databases.ts';
import { median } from './figures.ts';

const SIZES = { reviews: 100_000, employers: 20_000 };
const LIMIT_MS = 25;
const RUNS = 15;
const DOCTORS = 700;

const LISTS = [
  '',
  '?page=2',
  '?page=125',
  '?page=250',
  '?page_size=100',
  '?priority=1',
  '?claim=free',
  '?claim=own',
  ...['report', 'doctor', 'eviction', 'employer'].map((kind) => `?kind=${kind}`),
  '?kind=report&priority=3&claim=free&page=20',
];

/**
 * 3,000 reports, 1,400 cases of doctors, and 600 submitted employers; every fifth case is claimed.
 */
async function addCases({ db }: Deps, doctors: readonly string[], holder: string) {
  await sql`with reported as (
      select id, row_number() over () as n from (select id from reviews order by id limit 3000) as first),
    filed as (insert into review_reports (review_id, reporter_key, reason, reported_on)
      select id, sha256(id::text::bytea), 'abusive', current_date - n::int % 90 from reported)
    insert into cases (kind, review_id, priority, opened_on)
      select 'report', id, 1 + n % 3, current_date - n::int % 90 from reported`.execute(db);
  await sql`insert into cases (kind, account_id, priority, period, opened_on)
    select kind, id, 2, 'week', date_trunc('week', now() - n % 12 * interval '1 week')
    from unnest(${doctors}::uuid[]) with ordinality as doctor (id, n),
      unnest(array['doctor', 'eviction']) as kind`.execute(db);
  await sql`insert into cases (kind, employer_id, priority, opened_on)
    select 'employer', id, 3, current_date - id % 90 from employers order by id limit 600`.execute(
    db,
  );
  await sql`update cases set holder = ${holder}, held_until = now() + interval '30 minutes'
    where id in (select id from (select id, row_number() over () as n from cases) as all_cases
      where n % 5 = 0)`.execute(db);
  await sql`analyze`.execute(db);
}

const serverUrl = process.env['DATABASE_URL'] ?? '';
const filled = await filledDatabase(serverUrl, SIZES, console.log);
const template = new URL(filled).pathname.slice(1);
await using own = await temporaryDatabase(serverUrl, `${template}_queue`, template);
const { app, deps, close } = await buildColdApp(own.url, {
  production: false,
  rateLimitFactor: 1_000_000,
});
try {
  const { headers, userId } = await signedInAdmin({ deps } as never);
  const doctors: string[] = [];
  while (doctors.length < DOCTORS) doctors.push((await signedInDoctor({ deps } as never)).userId);
  await addCases(deps, doctors, userId);
  const kinds = await sql<{ id: string; kind: string }>`
    select distinct on (kind) id, kind from cases order by kind, id`.execute(deps.db);
  const files = kinds.rows.map(({ id, kind }) => ({ path: `${id}/`, title: `a case: ${kind}` }));
  const lists = LISTS.map((path) => ({ path, title: `the queue ${path}` }));
  console.log('| answer | median ms | slowest ms | limit |\n|---|---|---|---|');
  for (const { path, title } of [...lists, ...files]) {
    const times: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const began = performance.now();
      const answer = await app.inject({ url: `/api/admin/cases/${path}`, headers });
      if (answer.statusCode !== 200) throw new Error(`${title}: ${answer.body}`);
      // PostgreSQL plans the statements during the first run.
      if (run > 0) times.push(performance.now() - began);
    }
    const figures = [median(times), Math.max(...times)].map((ms) => ms.toFixed(1));
    console.log(`| ${title} | ${figures.join(' | ')} | ${LIMIT_MS} |`);
  }
} finally {
  await close();
}
