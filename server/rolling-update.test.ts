import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { migrate } from './db/migrate.ts';
import { buildTestApp } from './testing/app.ts';
import { startBalancer } from './testing/balancer.ts';
import { testDatabase } from './testing/database.ts';
import { newEmployer, reviewOf, signedInDoctor } from './testing/factories.ts';
import { newerMigrations } from './testing/migrations.ts';
import { listening, printed, spawnServer, terminate } from './testing/server-process.ts';

const CLIENTS = 8;

/** Sends requests through a load balancer until `end`. Each client sends one at a time. */
function constantRequests(url: string) {
  const failures: string[] = [];
  let answered = 0;
  let ended = false;
  const client = async (number: number) => {
    for (let turn = 0; !ended; turn += 1) {
      // A cached, a computed, and a rendered response.
      const paths = ['/api/employers/', `/api/employers/?search=${number}x${turn}`, '/'];
      const asked = paths[turn % paths.length] ?? '';
      try {
        const answer = await fetch(url + asked);
        await answer.arrayBuffer();
        if (answer.status === 200) answered += 1;
        else failures.push(`${asked}: ${answer.status}`);
      } catch (error) {
        failures.push(`${asked}: ${error}`);
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  return {
    /** Waits for this many more responses. */
    async answers(more: number) {
      const enough = answered + more;
      await expect.poll(() => answered).toBeGreaterThan(enough);
    },
    async end() {
      ended = true;
      await Promise.all(clients);
      return { answered, failures };
    },
  };
}

// Two servers start, one after the other, which takes a while on a busy machine.
test('an update loses no request: the new server starts on an expanded database, then the old one stops', async () => {
  const { db, background } = await testDatabase();
  const env = { DRAIN_SECONDS: '3' };
  const balancer = await startBalancer();
  const older = await spawnServer(db, env);
  const olderUrl = await listening(older);
  balancer.add(olderUrl);
  await expect.poll(async () => (await fetch(balancer.url)).status).toBe(200);

  const requests = constantRequests(balancer.url);
  await requests.answers(100);
  const folder = await newerMigrations({
    '9999-next.sql': '-- phase: expand\nalter table employers add column next text',
  });
  await migrate(background.pool, folder);
  await requests.answers(100);
  // The same release again, which also shows that an old server can restart during an update.
  const newer = await spawnServer(db, env);
  const newerUrl = await listening(newer);
  balancer.add(newerUrl);
  await expect.poll(() => balancer.answeredBy(newerUrl)).toBeGreaterThan(100);

  const stopped = terminate(older);
  await expect.poll(async () => (await fetch(`${olderUrl}/readyz`)).status).toBe(503);
  expect((await fetch(`${olderUrl}/healthz`)).status).toBe(200);
  expect(await stopped).toBe(0);
  await requests.answers(100);

  const { answered, failures } = await requests.end();
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(400);
  expect(balancer.answeredBy(olderUrl)).toBeGreaterThan(100);
}, 60_000);

test('an old server continues to write and read reviews while its tables get new columns', async () => {
  await using server = await buildTestApp();
  const { app, deps } = server;
  // A single connection, so it has prepared every statement.
  deps.database.pool.options.max = 1;
  const author = await signedInDoctor(server);
  const reader = await signedInDoctor(server);
  const employers = [await newEmployer(server), await newEmployer(server)];
  const ask = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    { headers } = author,
  ) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    expect([200, 201, 204, 400], `${method} ${url}: ${answer.body}`).toContain(answer.statusCode);
    return answer;
  };
  const everything = async () => {
    const [first = 0, second = 0] = employers;
    const { id } = (await ask('POST', '/api/reviews/', reviewOf(first))).json();
    const later = { ...reviewOf(second), publish: 'later' };
    const scheduled = (await ask('POST', '/api/reviews/', later)).json();
    expect((await ask('POST', '/api/reviews/', reviewOf(first))).statusCode).toBe(400);
    expect((await ask('POST', '/api/reviews/', later)).statusCode).toBe(400);
    for (const one of [id, scheduled.id]) {
      const { publish: _, ...changed } = { ...later, overall_rating: 2 };
      await ask('PATCH', `/api/reviews/${one}/`, changed);
    }
    await ask('POST', `/api/reviews/${id}/helpful/`, undefined, reader);
    expect((await ask('GET', '/api/reviews/my_reviews/')).json()).toHaveLength(2);
    await ask('GET', `/api/employers/compare/?ids=${employers}&specialty=Nephrology`);
    await ask('GET', `/api/reviews/${id}/`);
    for (const one of [id, scheduled.id]) await ask('DELETE', `/api/reviews/${one}/`);
  };
  await everything();
  const tables = ['scheduled_reviews', 'reviews', 'employers', 'review_votes', 'doctors', 'users'];
  for (const table of tables) {
    await deps.database.background.pool.query(`alter table ${table} add column next text`);
    await everything();
  }
});

test('a server does not start on a database that a newer release has contracted', async () => {
  const { db, background } = await testDatabase();
  const folder = await newerMigrations({
    '9999-next.sql': '-- phase: contract after 99.0.0\nselect 1',
  });
  await migrate(background.pool, folder);
  const { stderr } = await spawnServer(db);
  expect(stderr && (await text(stderr))).toBe(
    'curbside: the database is newer than this program: it has 9999-next.sql\n',
  );
});

test('a server that is still starting stops immediately', async () => {
  const { db } = await testDatabase();
  const absent = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LOG_LEVEL: 'warn' };
  const child = await spawnServer(db, absent);
  await printed(child, /(waiting for the database)/);
  expect(await terminate(child)).toBe(0);
});
