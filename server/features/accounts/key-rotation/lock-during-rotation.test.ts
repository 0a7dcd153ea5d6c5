import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { buildTestApp, TEST_CONFIG, type TestApp } from '#server/testing/app.ts';
import { send } from '../testing/account-flows.ts';
import { waitingForLocks } from '../testing/index-keys.ts';
import { askToLock, newPoster, post } from '../testing/locked-account.ts';

/** The secrets during a rotation of the authorship key. */
const rotating = { ...TEST_CONFIG.secrets, authorship: [randomBytes(32), randomBytes(32)] };

/** Starts the work while another connection has an open transaction, which ends first. */
async function besideOther<T>(
  { deps }: TestApp,
  other: (client: pg.PoolClient) => Promise<unknown>,
  work: () => Promise<T>,
  meanwhile?: (client: pg.PoolClient) => Promise<unknown>,
): Promise<T> {
  const client = await deps.database.background.pool.connect();
  try {
    await client.query('begin');
    await other(client);
    const done = work();
    await expect.poll(() => waitingForLocks(deps.db)).toBeGreaterThan(0);
    await meanwhile?.(client);
    await client.query('commit');
    return await done;
  } finally {
    client.release();
  }
}

test('also locks a vote that a rotation is moving at the same time', async () => {
  await using server = await buildTestApp({ config: { secrets: rotating } });
  const [member, author] = [await newPoster(server), await newPoster(server)];
  const { id } = await post(server, author);
  const { keys } = server.deps;
  keys.replace({ ...rotating, authorship: rotating.authorship.slice(1) });
  await send(server, `/reviews/${id}/helpful/`, {}, member);
  keys.replace(rotating);
  const [current, old] = keys.deedKeys('vote', member.id, id);
  const answer = await besideOther(
    server,
    (client) =>
      client.query('update review_votes set voter_key = $1 where voter_key = $2', [current, old]),
    () => askToLock(server, member),
  );
  expect(answer.statusCode).toBe(200);
  const votes = await server.deps.db.selectFrom('review_votes').select('voter_key').execute();
  expect(votes).toHaveLength(1);
  expect([current, old]).not.toContainEqual(votes[0]?.voter_key);
});

test("a vote locks an author's keys in the same order as everything else", async () => {
  await using server = await buildTestApp({ config: { secrets: rotating } });
  const { id } = await post(server, await newPoster(server));
  const asNumber = (key: Buffer) => key.readBigInt64BE();
  // As text, the numbers sort the other way around.
  for (;;) {
    const member = await newPoster(server);
    const keys = server.deps.keys.authorKeys(member.id).toSorted(Buffer.compare);
    const [first = 0n, second = 0n] = keys.map(asNumber);
    if (String(first) < String(second)) continue;
    const answer = await besideOther(
      server,
      (client) => client.query('select pg_advisory_xact_lock($1)', [String(first)]),
      () => send(server, `/reviews/${id}/helpful/`, {}, member),
      async (client) => {
        const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as free', [
          String(second),
        ]);
        expect(rows).toEqual([{ free: true }]);
      },
    );
    expect(answer.statusCode).toBe(200);
    return;
  }
});
