/**
 * Measures how long requests wait for the nightly rewrite: `DATABASE_URL=… node bench/rewrite.ts
 * --reviews 200000 --accounts 20000`. While the rewrite runs on a copy of the database, each probe
 * repeats one statement of a request, and its longest time is printed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#server/db/open.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { filledDatabase, serverUrl, temporaryDatabase } from './databases.ts';

const { values } = parseArgs({
  options: {
    reviews: { type: 'string', default: '200000' },
    accounts: { type: 'string', default: '20000' },
  },
});
const [reviews, accounts] = [Number(values.reviews), Number(values.accounts)];
const server = serverUrl();
const filled = await filledDatabase(server, { reviews, employers: 20_000 }, console.error);
const template = new URL(filled).pathname.slice(1);
await using own = await temporaryDatabase(server, `${template}_rewrite`, template);
const database = openDatabase({ connectionString: own.url }, () => {});
const { pool } = database.background;

/** An account has 1.5 sessions, and a review 1 vote. */
const SEED = [
  `create function b(length int) returns bytea language sql volatile as
    $$ select substr(string_agg(uuid_send(gen_random_uuid()), ''::bytea), 1, length)
       from generate_series(0, length / 16) $$`,
  `insert into users (sealed, email_index, password_hash, author_secret, recovery_secret, author_salt)
   select b(1600), b(32), repeat('x', 97), b(60), b(60), b(120) from generate_series(1, ${accounts})`,
  `insert into doctors (user_id, npi_index, verified, can_post_reviews)
   select id, email_index, true, true from users`,
  `insert into sessions (account_key, sealed, expires_on)
   select b(32), b(400), current_date + 30 from generate_series(1, ${accounts} * 3 / 2)`,
  'alter table review_votes disable trigger user',
  'insert into review_votes (review_id, voter_key, helpful) select id, b(32), true from reviews',
  'alter table review_votes enable trigger user',
  'vacuum (analyze)',
];

/** Statements of requests, by what they do. A write is rolled back. */
const PROBES = {
  'a page of the public list': 'select id from reviews order by created_at desc, id limit 20',
  "one's own reviews": `select review_id from review_authors where author_key = $1`,
  'an account at log-in': 'select sealed from users where email_index = $1',
  'a session': 'select sealed from sessions where account_key = $1',
  'posting a review': `insert into review_authors (author_key, job) values ($1::bytea, substring($1::bytea for 16))`,
  'a vote':
    'insert into review_votes (review_id, voter_key, helpful) select id, $1, true from reviews limit 1',
  'a new password': `update users set password_hash = password_hash where email_index = $1`,
  'a log-in': `insert into sessions (account_key, sealed, expires_on) values ($1, $1, current_date)`,
};

/** Repeats a statement until the signal, and returns its longest time in milliseconds. */
async function longest(statement: string, signal: AbortSignal): Promise<number> {
  const client = await database.pool.connect();
  let most = 0;
  try {
    const { rows } = await client.query<{ key: Buffer }>(
      'select email_index as key from users limit 1',
    );
    const usesKey = statement.includes('$1');
    while (!signal.aborted) {
      const began = performance.now();
      await client.query('begin');
      await client.query(statement, usesKey ? [rows[0]?.key] : []);
      await client.query('rollback');
      most = Math.max(most, performance.now() - began);
      await pause(10);
    }
  } finally {
    client.release();
  }
  return most;
}

try {
  for (const statement of SEED) await pool.query(statement);
  const ended = new AbortController();
  const waits = Promise.all(
    Object.entries(PROBES).map(
      async ([name, statement]) => [name, await longest(statement, ended.signal)] as const,
    ),
  );
  const began = performance.now();
  await rewriteTables(pool);
  const took = performance.now() - began;
  ended.abort();
  console.log(`| ${reviews} reviews, ${accounts} accounts | longest, ms |\n|---|---|`);
  for (const [name, ms] of await waits) console.log(`| ${name} | ${Math.round(ms)} |`);
  console.log(`| the rewrite as a whole | ${Math.round(took)} |`);
} finally {
  await database.close();
}
