import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { migrate } from './db/migrate.ts';
import { startBalancer } from './testing/balancer.ts';
import { testDatabase } from './testing/database.ts';
import { newerMigrations } from './testing/migrations.ts';
import { listening, spawnServer, terminate } from './testing/server-process.ts';

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

test('an update loses no request: the new server starts on an expanded database, then the old one stops', async () => {
  const { db, background } = await testDatabase();
  const env = { DRAIN_SECONDS: '10' };
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
});

test('a server does not start on a database that a newer release has contracted', async () => {
  const { db, background } = await testDatabase();
  const folder = await newerMigrations({
    '9999-next.sql': '-- phase: contract after 99.0.0\nselect 1',
  });
  await migrate(background.pool, folder);
  const { stderr } = await spawnServer(db);
  expect(stderr && (await text(stderr))).toBe(
    'curbside: the database is newer than this program: it has 9999-next.sql:' +
      ' run the matching version of Curbside\n',
  );
});

test('a server does not start on a database from before the first release', async () => {
  const { db, pool } = await testDatabase();
  await pool.query("delete from migrations; insert into migrations values ('0001-text.sql', 'x')");
  const { stderr } = await spawnServer(db);
  expect(stderr && (await text(stderr))).toBe(
    'curbside: this database was made by a version before the first release and cannot be updated:' +
      ' set DATA_DIR to an empty folder (or DATABASE_URL to an empty database), or go back to the' +
      ' version that made it\n',
  );
  const { rows } = await pool.query('select name from migrations');
  expect(rows).toEqual([{ name: '0001-text.sql' }]);
});
