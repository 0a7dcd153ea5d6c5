import { expect, test, vi } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { REWRITTEN, REWRITTEN_ANEW, rewriteTables } from './rewrite.ts';

/** Generous, for a busy machine. */
const BUSY_MS = 100_000;

test('waits for a long transaction once, not for each table', async () => {
  const { pool } = await testDatabase();
  const reader = await pool.connect();
  await reader.query('begin isolation level repeatable read; select from reviews');
  // A change that the reader does not see.
  await pool.query('select pg_current_xact_id()');
  const sent = vi.spyOn(pool, 'query');
  /** How often the rewrite has looked for open transactions, by table. */
  const looks = () =>
    sent.mock.calls
      .map(([text]) => String(text))
      .join()
      .split('pg_current_xact_id')
      .slice(1)
      .map((ofTable) => ofTable.split('pg_stat_activity').length - 1);
  let isOver = false;
  const rewriting = rewriteTables(pool).finally(() => {
    isOver = true;
  });
  const waitsAgain = () =>
    looks()
      .slice(1)
      .some((times) => times > 1);
  await vi.waitUntil(() => isOver || waitsAgain(), { timeout: BUSY_MS });
  reader.release(true);
  await rewriting;
  const [first, ...others] = looks();
  expect(first).toBeGreaterThan(1);
  expect(others).toEqual(others.map(() => 1));
  // And once before the others are frozen.
  expect(others.length).toBeGreaterThanOrEqual(
    Object.keys(REWRITTEN).length + REWRITTEN_ANEW.length,
  );
});
