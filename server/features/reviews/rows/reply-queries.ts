import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import { REMOVED_REPLIES_SHOWN } from '#contract/limits.ts';
import type { Reply } from '#contract/reviews/review-replies.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';

/** A reply speaks for the employer that wrote it, or the one that employer was merged into. */
const SPEAKS = sql<SqlBool>`current_employer(reply.employer_id) = reviews.employer_id`;

const IS_PUBLIC = sql<SqlBool>`not reply.removed and not reply.deleted`;

/** The public reply to the review of a row of `reviews`. */
export const PUBLIC_REPLY = sql<Reply | null>`(
  select json_build_object('text', reply.text, 'replied_on', reply.replied_on)
  from review_replies as reply
  where reply.review_id = reviews.id and ${SPEAKS} and ${IS_PUBLIC}
)`;

const replies = (db: Db) =>
  db
    .selectFrom('review_replies as reply')
    .innerJoin('reviews', 'reviews.id', 'reply.review_id')
    .where(SPEAKS);

/** The public replies to these reviews. */
export const selectPublic = (db: Db, reviewIds: readonly string[]) =>
  replies(db)
    .select(['reply.review_id', 'reply.text', 'reply.replied_on'])
    .where('reply.review_id', '=', anyOf('uuid', reviewIds))
    .where(IS_PUBLIC)
    .execute();

/** The replies to these reviews as moderators see them, including those that nobody else sees. */
export const selectByReview = (db: Db, reviewIds: readonly string[]) =>
  db
    .selectFrom('review_replies as reply')
    .innerJoin('reviews', 'reviews.id', 'reply.review_id')
    .select(['reply.review_id', 'reply.text', 'reply.replied_on', 'reply.removed', 'reply.deleted'])
    .select(['reply.employer_id', SPEAKS.as('speaks')])
    .where('reply.review_id', '=', anyOf('uuid', reviewIds))
    .execute();

/** The reply under a review, for its employer's current representatives. */
export const findReply = (trx: Db, reviewId: string) =>
  replies(trx)
    .select(['reply.removed', 'reply.deleted'])
    .where('reply.review_id', '=', reviewId)
    .executeTakeFirst();

/** An employer's removed replies to public reviews, newest decision first. */
export const selectRemoved = (db: Db, employerId: number) =>
  replies(db)
    .select(['reply.review_id', 'reply.text', 'reply.rule', 'reply.note', 'reply.decided_on'])
    .where('reviews.employer_id', '=', employerId)
    .where('reviews.removed_reason', 'is', null)
    .where('reply.removed', '=', true)
    .orderBy('reply.decided_on', 'desc')
    .orderBy('reply.review_id')
    .limit(REMOVED_REPLIES_SHOWN)
    .execute();

/** The public replies written by an account, in the order in which their reviews are locked. */
export async function selectWrittenBy(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('review_replies')
    .select('review_id')
    .where('written_by', '=', userId)
    .where('deleted', '=', false)
    .orderBy('review_id')
    .execute();
  return rows.map(({ review_id }) => review_id);
}

/** The authors of public replies, other than these accounts, and the number for each employer. */
export const selectOtherWriters = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom('review_replies')
    .select(['written_by', 'employer_id', (eb) => eb.fn.countAll<number>().as('replies')])
    .where('deleted', '=', false)
    .where('written_by', '<>', sql<string>`all(${userIds}::uuid[])`)
    .groupBy(['written_by', 'employer_id'])
    .orderBy('written_by')
    .orderBy('employer_id')
    .execute();

/**
 * Locks reviews in id order, published or not. Locks the table first: otherwise it would miss a
 * review that the nightly rewrite is moving (deleting and inserting again).
 */
export async function lockReviews(trx: Db, ids: readonly string[]) {
  await sql`lock table reviews in row exclusive mode`.execute(trx);
  return trx
    .selectFrom('reviews')
    .select(['id', 'employer_id', 'removed_reason'])
    .where('id', '=', anyOf('uuid', ids))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Writes a reply to a review: the first one, or a replacement for one that is deleted or speaks for
 * another employer. Reports of that one stay.
 */
export async function putReply(trx: Db, reply: NewReply) {
  const fresh = { deleted: false, removed: false, decided_on: null, rule: null, note: '' };
  await trx
    .insertInto('review_replies')
    .values(reply)
    .onConflict((conflict) => conflict.column('review_id').doUpdateSet({ ...reply, ...fresh }))
    .execute();
}

type NewReply = Required<
  Pick<
    Insertable<DB['review_replies']>,
    'review_id' | 'employer_id' | 'written_by' | 'text' | 'replied_on'
  >
>;

export async function updateReply(
  trx: Db,
  reviewId: string,
  change: Updateable<DB['review_replies']>,
) {
  await trx.updateTable('review_replies').set(change).where('review_id', '=', reviewId).execute();
}

/** Deletes a reply. One that was reported or decided about is only hidden (review_replies_stay). */
export async function deleteReply(trx: Db, reviewId: string) {
  const { numDeletedRows } = await trx
    .deleteFrom('review_replies as reply')
    .where('review_id', '=', reviewId)
    .where('decided_on', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reply_reports')
            .select('reply_reports.review_id')
            .whereRef('reply_reports.review_id', '=', 'reply.review_id'),
        ),
      ),
    )
    .executeTakeFirst();
  if (numDeletedRows === 0n) await updateReply(trx, reviewId, { deleted: true });
}

/**
 * Keeps only a person's first open report: the reply may have changed since an answer.
 * `reporter` has all keys of the person.
 */
export async function insertReport(
  trx: Db,
  report: Omit<Insertable<DB['reply_reports']>, 'reporter_key'> & { review_id: string },
  reporter: readonly Buffer[],
): Promise<boolean> {
  const [reporter_key] = reporter;
  const earlier = await trx
    .selectFrom('reply_reports')
    .select('review_id')
    .where('review_id', '=', report.review_id)
    .where('reporter_key', '=', anyOf('bytea', reporter))
    .where('closed', '=', false)
    .executeTakeFirst();
  if (!reporter_key || earlier) return false;
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('reply_reports')
    .values({ ...report, reporter_key })
    .onConflict((conflict) =>
      conflict.columns(['review_id', 'reporter_key']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        note: eb.ref('excluded.note'),
        reported_on: eb.ref('excluded.reported_on'),
        closed: false,
        closed_on: null,
        outcome: null,
        rule: null,
      })),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function closeReports(
  trx: Db,
  reviewId: string,
  decision: { closed_on: string; outcome: string; rule: string },
) {
  await trx
    .updateTable('reply_reports')
    .set({ closed: true, ...decision })
    .where('review_id', '=', reviewId)
    .where('closed', '=', false)
    .execute();
}
