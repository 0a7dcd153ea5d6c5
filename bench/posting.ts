import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { sql } from 'kysely';
import { reviewOf, signedInDoctor, type TestAccount } from '#server/testing/factories.ts';
import { buildColdApp } from './cold-app.ts';
import { type Figure, median } from './figures.ts';
import { pickFrom } from './random.ts';
import { POSITIONS, SENTENCES } from './review-texts.ts';

const CONNECTIONS = 32;
const POSTS = 400;

/** Posts reviews through the app, and deletes them at the end. */
export async function postingFigures(
  databaseUrl: string,
  reviews: number,
  seconds: number,
): Promise<Figure[]> {
  const { app, deps, close } = await buildColdApp(databaseUrl);
  const { pool, db } = deps.database.background;
  const employers = await db.selectFrom('employers').select('id').orderBy('id').execute();
  const signIn = () => signedInDoctor({ deps } as never);
  const authors = await Promise.all(Array.from({ length: CONNECTIONS }, signIn));
  const posted: string[] = [];
  let serial = 0;

  /** Another employer each time, because an author may write about each only once. */
  const post = async ({ headers }: TestAccount) => {
    serial += 1;
    const { id } = pickFrom(employers, ((serial * 7919) % employers.length) / employers.length);
    const payload = reviewOf(id, {
      overall_rating: 1 + (serial % 5),
      review_text: SENTENCES.slice(serial % 16, (serial % 16) + 4).join(' '),
      position_title: pickFrom(POSITIONS, (serial % 97) / 97),
    });
    const answer = await app.inject({ method: 'POST', url: '/api/reviews/', headers, payload });
    if (answer.statusCode !== 201) throw new Error(`a post was rejected: ${answer.body}`);
    posted.push(answer.json().id);
  };

  try {
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let n = 0; n < POSTS; n += 1) {
      const began = performance.now();
      await post(pickFrom(authors, (n % CONNECTIONS) / CONNECTIONS));
      times.push(performance.now() - began);
    }
    const { user, system } = process.cpuUsage(before);
    const done = posted.length;
    const end = performance.now() + seconds * 1000;
    await Promise.all(
      authors.map(async (author) => {
        while (performance.now() < end) await post(author);
      }),
    );
    const size = reviews.toLocaleString('en-US');
    return [
      {
        what: `post a review, of ${size}: median with one connection`,
        measured: median(times),
        unit: ' ms',
        target: { atMost: 5 },
        note: `${((user + system) / 1000 / POSTS).toFixed(1)} ms of the server's CPU time each`,
      },
      {
        what: `post a review, of ${size}: posts per second with ${CONNECTIONS} connections`,
        measured: (posted.length - done) / seconds,
        target: { atLeast: 400 },
      },
    ];
  } finally {
    await sql`delete from reviews where id = any(${posted}::uuid[])`.execute(db);
    await sql`delete from sessions`.execute(db);
    await pool.query('delete from users where id = any($1::uuid[])', [
      authors.map(({ userId }) => userId),
    ]);
    await pool.query('vacuum reviews');
    await close();
  }
}
