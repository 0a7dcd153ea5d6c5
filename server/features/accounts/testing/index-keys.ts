import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { deriveKeys, type Secrets } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';

const { secrets } = TEST_CONFIG;
const withIndex = (...index: Buffer[]): Secrets => ({ ...secrets, index });
const [old, fresh] = [randomBytes(32), randomBytes(32)];

/** The keys of a server during a rotation of the index key, as in docs/operations.md. */
export const STEPS = {
  before: withIndex(old),
  announced: withIndex(old, fresh),
  rotating: withIndex(fresh, old),
  after: withIndex(fresh),
} as const;

/** A second server on the same database, at some step of the rotation. */
export const nodeAt = <D extends object>(deps: D, step: keyof typeof STEPS) => ({
  ...deps,
  keys: deriveKeys(STEPS[step]),
});

/** The number of statements waiting for a lock. */
export async function waitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
