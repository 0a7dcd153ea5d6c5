import { sql } from 'kysely';
import type { ReviewDeed } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';

const TABLES = {
  vote: { table: 'review_votes', key: 'voter_key' },
  report: { table: 'review_reports', key: 'reporter_key' },
} as const;

/**
 * Puts the current authorship key in the place of older ones in votes and reports. Their keys are
 * bound to one review each, so every account is tried on every review that has some: that is what
 * keeps anyone else from joining them. Returns how many changed.
 */
export async function rekeyDeeds(
  deps: Pick<Deps, 'db' | 'keys'>,
  deed: ReviewDeed,
  userIds: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const reviewIds = await reviewsWith(deps.db, deed);
  let changed = 0;
  for (const [at, reviewId] of reviewIds.entries()) {
    changed += await rekeyReview(deps, deed, reviewId, userIds);
    onProgress(at + 1, reviewIds.length);
  }
  return changed;
}

async function reviewsWith(db: Db, deed: ReviewDeed): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select review_id as id from ${sql.table(TABLES[deed].table)}
    group by review_id order by random()`.execute(db);
  return rows.map(({ id }) => id);
}

async function rekeyReview(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  deed: ReviewDeed,
  reviewId: string,
  userIds: readonly string[],
): Promise<number> {
  const { table, key } = TABLES[deed];
  const { rows } = await sql<{ key: Buffer }>`
    select ${sql.ref(key)} as key from ${sql.table(table)}
    where review_id = ${reviewId}`.execute(db);
  const unknown = new Set(rows.map((row) => row.key.toString('hex')));
  let changed = 0;
  for (const userId of userIds) {
    if (unknown.size === 0) break;
    const [current, ...older] = keys.deedKeys(deed, userId, reviewId);
    unknown.delete(current?.toString('hex') ?? '');
    for (const old of older.filter((one) => unknown.delete(one.toString('hex')))) {
      await sql`
        update ${sql.table(table)} set ${sql.ref(key)} = ${current}
        where review_id = ${reviewId} and ${sql.ref(key)} = ${old}`.execute(db);
      changed += 1;
    }
  }
  return changed;
}
