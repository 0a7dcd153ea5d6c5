import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { reviewOf, signedInDoctor, type TestAccount } from '#server/testing/factories.ts';
import { buildColdApp } from './cold-app.ts';
import { type Figure, median } from './figures.ts';
import { cpuMs } from './processes.ts';
import { pickFrom, randomOf } from './random.ts';
import { POSITIONS, SENTENCES } from './review-texts.ts';

const CONNECTIONS = 32;
const POSTS = 400;

/** Posts reviews through the app, and deletes them at the end. */
export async function postingFigures(
  databaseUrl: string,
  reviews: number,
  seconds: number,
): Promise<Figure[]> {
  const { app, deps, close } = await buildColdApp(databaseUrl, {
    rateLimitFactor: 1_000_000,
  });
  const { db: background } = deps.database.background;
  const authors: TestAccount[] = [];
  try {
    while (authors.length < CONNECTIONS) authors.push(await signedInDoctor({ deps } as never));
    const posted: string[] = [];
    const next = await payloads(deps);
    const post = async ({ headers }: TestAccount) => {
      const url = '/api/reviews/';
      const answer = await app.inject({ method: 'POST', url, headers, payload: next() });
      if (answer.statusCode !== 201) throw new Error(`a post was rejected: ${answer.body}`);
      posted.push(answer.json().id);
    };
    try {
      const before = await processorMs(deps);
      const times = await latencies(authors, post);
      const cost = ((await processorMs(deps)) - before) / times.length;
      return figuresOf(reviews, { times, cost, perSecond: await rate(authors, post, seconds) });
    } finally {
      await sql`delete from reviews where id = any(${posted}::uuid[])`.execute(background);
    }
  } finally {
    await removeAccounts(deps, authors);
    await deps.database.background.pool.query('vacuum reviews');
    await close();
  }
}

type Post = (author: TestAccount) => Promise<void>;

/** Posts one review at a time. Returns the milliseconds of each. */
async function latencies(authors: readonly TestAccount[], post: Post): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < POSTS; n += 1) {
    const began = performance.now();
    await post(pickFrom(authors, (n % CONNECTIONS) / CONNECTIONS));
    times.push(performance.now() - began);
  }
  return times;
}

/** Posts per second with all authors at once. */
async function rate(authors: readonly TestAccount[], post: Post, seconds: number) {
  const began = performance.now();
  const end = began + seconds * 1000;
  let posts = 0;
  await Promise.all(
    authors.map(async (author) => {
      for (; performance.now() < end; posts += 1) await post(author);
    }),
  );
  return posts / ((performance.now() - began) / 1000);
}

/** The CPU time of this process and of its database connections. */
async function processorMs({ db }: Deps): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(db);
  const { user, system } = process.cpuUsage();
  return rows.reduce((sum, { pid }) => sum + (cpuMs(pid) ?? 0), (user + system) / 1000);
}

interface Posted {
  times: readonly number[];
  /** CPU time of a post, in milliseconds. */
  cost: number;
  perSecond: number;
}

function figuresOf(reviews: number, { times, cost, perSecond }: Posted): Figure[] {
  const size = reviews.toLocaleString('en-US');
  return [
    {
      what: `post a review, of ${size}: median with one connection`,
      measured: median(times),
      unit: ' ms',
      target: { atMost: 5 },
      note: `${cost.toFixed(1)} ms of CPU time each`,
    },
    {
      what: `post a review, of ${size}: posts per second with ${CONNECTIONS} connections`,
      measured: perSecond,
      target: { atLeast: 400 },
    },
  ];
}

/** Varies employers and positions, so that no author posts the same review twice. */
async function payloads({ db }: Deps) {
  const employers = await db.selectFrom('employers').select('id').orderBy('id').execute();
  const random = randomOf(1);
  let serial = 0;
  return () => {
    serial += 1;
    const sentences = Array.from({ length: 6 }, () =>
      pickFrom(SENTENCES, random()).replace('{n}', String(Math.floor(random() * 5000))),
    );
    const { id } = pickFrom(employers, ((serial * 7919) % employers.length) / employers.length);
    return reviewOf(id, {
      overall_rating: 1 + Math.floor(random() * 5),
      review_text: sentences.slice(2).join(' '),
      pros: sentences[0] ?? '',
      cons: sentences[1] ?? '',
      position_title: pickFrom(POSITIONS, random()),
      would_recommend: random() < 0.6,
    });
  };
}

async function removeAccounts({ db }: Deps, accounts: readonly TestAccount[]) {
  const ids = accounts.map(({ userId }) => userId);
  await sql`delete from sessions`.execute(db);
  await sql`delete from users where id = any(${ids}::uuid[])`.execute(db);
}
