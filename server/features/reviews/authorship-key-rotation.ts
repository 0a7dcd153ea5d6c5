import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';

/** Authors whose reviews change in one statement. */
const AT_ONCE = 500;

/**
 * Puts the current authorship key in the place of older ones: the keys of reviews can be made
 * again from the ids of accounts alone. Reviews of nobody stay as they are. The ids come in random
 * order, since the transactions tell which authors went together. Returns how many reviews changed,
 * scheduled ones included.
 */
export async function rotateAuthorKeys(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
): Promise<number> {
  let changed = 0;
  for (let from = 0; from < userIds.length; from += AT_ONCE) {
    const pairs = userIds.slice(from, from + AT_ONCE).flatMap((id) => {
      const [current, ...older] = keys.authorKeys(id);
      return older.map((old) => ({ old, current }));
    });
    changed += await inTransaction(db, async (trx) => {
      // Scheduled ones first: one that goes live in between is found with the others.
      const scheduled = await rekey(trx, 'scheduled_reviews', pairs);
      return scheduled + (await rekey(trx, 'reviews', pairs));
    });
  }
  return changed;
}

interface KeyPair {
  readonly old: Buffer;
  readonly current: Buffer | undefined;
}

async function rekey(
  trx: Db,
  table: 'scheduled_reviews' | 'reviews',
  pairs: readonly KeyPair[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    with held as materialized (
      select id, pair.current
      from ${sql.table(table)} as reviews
      join unnest(
        ${pairs.map(({ old }) => old)}::bytea[],
        ${pairs.map(({ current }) => current)}::bytea[]
      ) as pair (old, current) on author_key = pair.old
      order by id for update of reviews
    )
    update ${sql.table(table)} as reviews set author_key = held.current
    from held where reviews.id = held.id`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
