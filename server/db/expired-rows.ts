import { sql } from 'kysely';
import type { Keys } from '#server/anonymity/keys.ts';
import { openUnexpired } from '#server/anonymity/seal.ts';
import type { Db } from './open.ts';
import type { DB } from './types.ts';

/** Tables of sealed values that expire: codes and links. */
type ExpiringTable = {
  [T in keyof DB]: DB[T] extends { sealed: unknown } ? T : never;
}[keyof DB];

/**
 * Deletes the rows whose value has expired or whose key is gone. All are opened, because only the
 * value says when it expires. `bound` is the column that the value's context is made of.
 */
export async function deleteExpiredRows<T extends ExpiringTable, Bound>(
  { db, keys, clock }: { db: Db; keys: Pick<Keys, 'sealing'>; clock: () => Date },
  table: T,
  bound: keyof DB[T] & string,
  contextOf: (bound: Bound) => string,
): Promise<void> {
  const { rows } = await sql<{ bound: Bound; sealed: Buffer }>`
    select ${sql.ref(bound)} as bound, sealed from ${sql.table(table)}`.execute(db);
  for (const row of rows) {
    if (openUnexpired(keys, contextOf(row.bound), row.sealed, clock()) !== null) continue;
    // A row that was replaced since it was read has another `sealed` and stays.
    await sql`
      delete from ${sql.table(table)}
      where ${sql.ref(bound)} = ${row.bound} and sealed = ${row.sealed}`.execute(db);
  }
}
