import { sql } from 'kysely';
import type { Author } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { handOverDeeds } from './feedback/deed-keys.ts';
import { RANDOM_KEY } from './queries.ts';
import { holdAuthor } from './scheduled-queries.ts';

/** When two rows of a table are of the same work. */
const SAME_WORK = {
  reviews: sql`other.written_for = own.written_for`,
  scheduled_reviews: sql`other.employer_id is not distinct from own.employer_id
    and other.custom_employer_key is not distinct from own.custom_employer_key`,
} as const;

/**
 * Puts one account's reviews, votes, and reports under the key of another author, in the lock order
 * of docs/architecture.md.
 */
export async function handOverReviews(trx: Db, from: Author, to: Author): Promise<void> {
  await rekeyOwnReviews(trx, from, to);
  await handOverDeeds(trx, 'vote', from, to);
  await handOverDeeds(trx, 'report', from, to);
}

/** Scheduled ones too. A second review of the same work is left without an author. */
async function rekeyOwnReviews(trx: Db, from: Author, to: Author): Promise<void> {
  await holdAuthor(trx, [...from.keys, ...to.keys], null);
  const next = from.keys.map((key) => to.keyOfHandedOver(key, from));
  // Scheduled ones first: one that goes live in between is found with the others.
  for (const table of ['scheduled_reviews', 'reviews'] as const) {
    await sql`
      with held as materialized (
        select id, pair.next, exists (
          select from ${sql.table(table)} as other
          where other.author_key = any(${to.keys})
            and other.position_key = own.position_key and ${SAME_WORK[table]}
        ) as is_double
        from ${sql.table(table)} as own
        join unnest(${from.keys}::bytea[], ${next}::bytea[]) as pair (former, next)
          on author_key = pair.former
        order by id for update of own
      )
      update ${sql.table(table)} as own
      set author_key = case when held.is_double then ${RANDOM_KEY} else held.next end
      from held where own.id = held.id`.execute(trx);
  }
}
