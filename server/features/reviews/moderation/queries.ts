import { type SelectQueryBuilder, sql } from 'kysely';
import type { Report, ReportsQuery } from '#contract/reviews/review-moderation.ts';
import type { Db } from '#server/db/open.ts';
import { selectPage } from '#server/listing/page.ts';
import { RESUBMITTED } from '../feedback/votes-and-reports.ts';
import { selectOpenAppeals } from './decision-queries.ts';

const reported = (db: Db) => db.selectFrom('review_reports').where('closed', '=', false);

/** One page of the ids of reviews with open reports, and the number on all pages. */
export async function selectReported(db: Db, query: ReportsQuery) {
  const reviews = reported(db)
    .select('review_id as id')
    .groupBy('review_id')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy((eb) => eb.fn.max('reported_on'), 'desc')
    .orderBy('review_id');
  return selectIds(db, reviews, query);
}

async function selectIds<Tables, From extends keyof Tables>(
  db: Db,
  reviews: SelectQueryBuilder<Tables, From, { id: string }>,
  query: ReportsQuery,
): Promise<{ ids: string[]; count: number }> {
  const { rows, count } = await selectPage(db, reviews, query);
  return { ids: rows.map(({ id }) => id), count };
}

/** The same for removed reviews (reviews_set_apart). */
export async function selectRemoved(db: Db, query: ReportsQuery) {
  const removed = db
    .selectFrom('reviews')
    .select('id')
    .where('removed_reason', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return selectIds(db, removed, query);
}

/** The same for public reviews whose last decision was to keep them. */
export async function selectKept(db: Db, query: ReportsQuery) {
  const last = db
    .selectFrom('review_decisions')
    .distinctOn('review_id')
    .select(['review_id', 'outcome', 'decided_on'])
    .orderBy('review_id')
    .orderBy('number', 'desc')
    .as('last');
  const kept = db
    .selectFrom('reviews')
    .innerJoin(last, 'last.review_id', 'reviews.id')
    .select('reviews.id')
    .where('removed_reason', 'is', null)
    .where('last.outcome', '=', 'keep')
    .orderBy('last.decided_on', 'desc')
    .orderBy('reviews.id');
  return selectIds(db, kept, query);
}

/** The same for reviews whose reply was removed. */
export async function selectWithRemovedReply(db: Db, query: ReportsQuery) {
  const removed = db
    .selectFrom('review_replies')
    .select('review_id as id')
    .where('removed', '=', true)
    .orderBy('decided_on', 'desc')
    .orderBy('review_id');
  return selectIds(db, removed, query);
}

/** A report, or a record that the author resubmitted the review. */
export type StoredReport = Omit<Report, 'reason'> & {
  reason: Report['reason'] | typeof RESUBMITTED;
};

interface Reports {
  review_reports: StoredReport[];
  reply_reports: Report[];
}

/** Open reports by review, oldest day first, and in random order within a day. */
export async function selectReports<Table extends keyof Reports>(
  db: Db,
  ids: readonly string[],
  from: Table,
): Promise<Map<string, Reports[Table]>> {
  const { rows } = await sql<{ review_id: string; reports: Reports[Table] }>`
    select review_id, json_agg(
      json_build_object('reason', reason, 'note', note, 'reported_on', reported_on)
      order by reported_on, reporter_key) as reports
    from ${sql.table(from)}
    where review_id = any(${ids}::uuid[]) and not closed
    group by review_id`.execute(db);
  return new Map(rows.map(({ review_id, reports }) => [review_id, reports]));
}

/** The answered reports of a review, each with the number of its decision, in random order within a day. */
export async function selectAnswered(db: Db, reviewId: string) {
  const rows = await db
    .selectFrom('review_reports')
    .select(['reason', 'note', 'reported_on', 'decision'])
    .where('review_id', '=', reviewId)
    .where('decision', 'is not', null)
    .orderBy('reported_on')
    .orderBy('reporter_key')
    .execute();
  return rows as (StoredReport & { decision: number | null })[];
}

/** The state before a decision about a review: locked until the transaction ends. */
export interface DecidedReview {
  isHidden: boolean;
  /** The day of its first open report. */
  reportedOn: string | null;
  /** Hidden until its author edited it, which has happened. */
  isResubmitted: boolean;
  hasOpenAppeal: boolean;
}

/**
 * Locks a review, published or not; undefined if there is none. Locks the tables first, as a report
 * does (docs/architecture.md, "Lock order").
 */
export async function lockReview(trx: Db, id: string): Promise<DecidedReview | undefined> {
  await sql`lock table reviews, review_reports in row exclusive mode`.execute(trx);
  const row = await trx
    .selectFrom('reviews')
    .select('removed_reason')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const reports = await reported(trx)
    .select(({ fn }) => [
      fn.min('reported_on').filterWhere('reason', '<>', RESUBMITTED).as('first'),
      fn.countAll<number>().filterWhere('reason', '=', RESUBMITTED).as('resubmitted'),
    ])
    .where('review_id', '=', id)
    .executeTakeFirstOrThrow();
  const appeals = await selectOpenAppeals(trx, [id]);
  return {
    isHidden: row.removed_reason !== null,
    reportedOn: reports.first,
    isResubmitted: reports.resubmitted > 0,
    hasOpenAppeal: appeals.length > 0,
  };
}

/** The reviews of an employer that are public, or those that are not, by id. */
export async function selectIdsOf(
  trx: Db,
  employerId: number,
  { isHidden }: { isHidden: boolean },
): Promise<string[]> {
  const rows = await trx
    .selectFrom('reviews')
    .select('id')
    .where('employer_id', '=', employerId)
    .where('removed_reason', isHidden ? 'is not' : 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Closes all reports of a review with the decision of this number. */
export async function closeReports(
  db: Db,
  { review_id, number, decided_on }: { review_id: string; number: number; decided_on: string },
): Promise<void> {
  await db
    .updateTable('review_reports')
    .set({ closed: true, closed_on: decided_on, decision: number })
    .where('review_id', '=', review_id)
    .where('closed', '=', false)
    .execute();
}
