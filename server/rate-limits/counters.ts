import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';

export interface Counter {
  key: Buffer;
  points: number;
  blocked_until: Date | null;
}

/** The counters of these keys. A key without a counter has counted nothing. */
export function selectCounters(db: Db, keys: readonly Buffer[]): Promise<Counter[]> {
  return db
    .selectFrom('rate_limits')
    .select(['key', 'points', 'blocked_until'])
    .where('key', '=', anyOf('bytea', keys))
    .execute();
}

/** Adds one and returns the sum. At `max` it adds nothing and returns null. */
export async function addUpTo(
  db: Db,
  max: number,
  { key, endsAt }: { key: Buffer; endsAt: Date },
): Promise<number | null> {
  const row = await db
    .insertInto('rate_limits')
    .values({ key, points: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({ points: eb('rate_limits.points', '+', 1) }))
        .where('rate_limits.points', '<', max),
    )
    .returning('points')
    .executeTakeFirst();
  return row?.points ?? null;
}

/**
 * Adds one to each, without a maximum, and returns the counters as they were before. Keeps them
 * locked until the transaction ends.
 */
export async function addFailures(
  trx: Db,
  failures: readonly { key: Buffer; endsAt: Date }[],
): Promise<Counter[]> {
  // Every transaction locks them in the same order, which prevents deadlocks.
  const ordered = failures.toSorted((a, b) => Buffer.compare(a.key, b.key));
  return trx
    .insertInto('rate_limits')
    .values(ordered.map(({ key, endsAt }) => ({ key, points: 1, ends_at: endsAt })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ points: eb('rate_limits.points', '+', 1) })),
    )
    .returning((eb) => ['key', eb('points', '-', 1).as('points'), 'blocked_until'])
    .execute();
}

export async function blockUntil(db: Db, key: Buffer, until: Date): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set({ blocked_until: until })
    .where('key', '=', key)
    .execute();
}

/** Subtracts one. Deletes a counter that reaches zero. */
export async function subtractOne(db: Db, key: Buffer): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set((eb) => ({ points: eb('points', '-', 1) }))
    .where('key', '=', key)
    .where('points', '>', 0)
    .execute();
  await db.deleteFrom('rate_limits').where('key', '=', key).where('points', '=', 0).execute();
}

export async function deleteCounters(db: Db, keys: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', anyOf('bytea', keys)).execute();
}
