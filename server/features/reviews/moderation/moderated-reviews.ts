import { type SelectQueryBuilder, sql } from 'kysely';
import { REPORT_PRIORITIES } from '#contract/cases.ts';
import type { SimilarDecision } from '#contract/office/case-queue.ts';
import type { DecisionOutcome, ReviewRule } from '#contract/review-rules.ts';
import type {
  EarlierDecision,
  ListedReview,
  ModeratedReview,
  Report,
  ReportsQuery,
} from '#contract/reviews/review-moderation.ts';
import type { ReviewRecord } from '#contract/reviews/reviews.ts';
import { versionOf } from '#server/cases/cases.ts';
import { openCasesOf } from '#server/cases/queue.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { selectByIds, selectTitles } from '#server/features/reviews/rows/queries.ts';
import { selectByReview } from '#server/features/reviews/rows/reply-queries.ts';
import { contentOf, toReviewRecord } from '#server/features/reviews/rows/review-row.ts';
import { selectPage } from '#server/listing/page.ts';
import { RESUBMITTED } from '../feedback/votes-and-reports.ts';
import {
  isAppealOpen,
  isHeld,
  selectLastChanges,
  selectOpenAppeals,
  selectReviewDecisions,
  selectSimilarDecisions,
  toAppeal,
  toDecision,
  toOpenAppeal,
} from './decision-queries.ts';

const reported = (db: Db) => db.selectFrom('review_reports').where('closed', '=', false);

/** One page of the ids of reviews with open reports, and the number on all pages. */
async function selectReported(db: Db, query: ReportsQuery) {
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
async function selectRemoved(db: Db, query: ReportsQuery) {
  const removed = db
    .selectFrom('reviews')
    .select('id')
    .where('removed_reason', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return selectIds(db, removed, query);
}

/** The same for public reviews whose last decision was to keep them. */
async function selectKept(db: Db, query: ReportsQuery) {
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
async function selectWithRemovedReply(db: Db, query: ReportsQuery) {
  const removed = db
    .selectFrom('review_replies')
    .select('review_id as id')
    .where('removed', '=', true)
    .orderBy('decided_on', 'desc')
    .orderBy('review_id');
  return selectIds(db, removed, query);
}

/** A report, or a record that the author resubmitted the review. */
type StoredReport = Omit<Report, 'reason'> & {
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

export type ModerationDeps = Pick<Deps, 'db' | 'clock'>;

const LISTS = {
  open: selectReported,
  removed: selectRemoved,
  kept: selectKept,
  replies: selectWithRemovedReply,
} as const;

/** One page of the reviews for moderators, and the number on all pages. */
export async function listModerated(
  deps: ModerationDeps,
  query: ReportsQuery,
): Promise<{ reviews: ListedReview[]; count: number }> {
  const { ids, count } = await LISTS[query.show](deps.db, query);
  const [cases, appeals] = await Promise.all([
    openCasesOf(deps.db, 'report', ids),
    openCasesOf(deps.db, 'appeal', ids),
  ]);
  const moderated = await moderatedReviews(deps, ids, cases);
  const reviews = moderated.map((one) => ({
    ...one,
    case_id: (one.appeal ? appeals : cases).get(one.review.id)?.id ?? null,
  }));
  return { reviews, count };
}

/** A review with its open reports. Throws `not_found`. */
export async function moderatedReview(deps: ModerationDeps, id: string): Promise<ModeratedReview> {
  const [moderated] = await moderatedReviews(deps, [id]);
  if (!moderated) throw new AppError('not_found');
  return moderated;
}

/** Published and removed reviews with their open reports, in the order of `ids`. */
export async function moderatedReviews(
  { db, clock }: ModerationDeps,
  ids: readonly string[],
  /** Those about reports, if the caller has read them. */
  openCases?: Awaited<ReturnType<typeof openCasesOf>>,
): Promise<ModeratedReview[]> {
  if (ids.length === 0) return [];
  const [rows, reports, changes, cases] = await Promise.all([
    selectByIds(db, ids),
    selectReports(db, ids, 'review_reports'),
    selectLastChanges(db, ids),
    openCases ?? openCasesOf(db, 'report', ids),
  ]);
  const open = changes.filter(isAppealOpen);
  const held = new Set(changes.filter(isHeld).map(({ review_id }) => review_id));
  const appeals = new Map(open.map((row) => [row.review_id, toOpenAppeal(row)]));
  const now = clock();
  const byId = new Map(rows.map((row) => [row.id, toReviewRecord(row, now)]));
  return ids.flatMap((id) => {
    const review = byId.get(id);
    if (!review) return [];
    const appeal = appeals.get(id);
    return {
      review,
      ...splitReports(reports.get(id)),
      is_edited: cases.get(id)?.edited ?? false,
      is_held: held.has(id),
      version: reviewVersion(review),
      ...(appeal && { appeal }),
    };
  });
}

/**
 * Of what the author wrote, and whether it is hidden, and why. Votes and the employer's reply change
 * nothing about a decision.
 */
export const reviewVersion = (review: ReviewRecord): string =>
  versionOf(contentOf(review), review.removed_reason);

/** The version of a locked review. */
export async function currentVersion(
  { db, clock }: ModerationDeps,
  id: string,
): Promise<string | undefined> {
  const [row] = await selectByIds(db, [id]);
  return row && reviewVersion(toReviewRecord(row, clock()));
}

/** A resubmission is stored as a report, but is not one. */
export const splitReports = (stored: readonly StoredReport[] = []) => ({
  reports: stored.filter((one): one is Report => one.reason !== RESUBMITTED),
  is_resubmitted: stored.some(({ reason }) => reason === RESUBMITTED),
});

/**
 * What moderators have decided about a review, oldest first, each with the reports that it answered
 * and its appeal. Texts that the author has replaced are not kept.
 */
export async function earlierDecisions(
  db: Db,
  id: string,
): Promise<(Omit<EarlierDecision, 'by'> & { decided_by: string | null })[]> {
  const [decisions, reports] = await Promise.all([
    selectReviewDecisions(db, id),
    selectAnswered(db, id),
  ]);
  return decisions.map((row) => {
    const answered = splitReports(reports.filter(({ decision }) => decision === row.number));
    return {
      ...toDecision(row),
      decided_by: row.decided_by,
      reports: answered.reports.map(({ reason, note }) => ({ reason, note })),
      was_resubmitted: answered.is_resubmitted,
      appeal: toAppeal(row),
    };
  });
}

/** Decisions about other reviews of the same employer (`selectSimilarDecisions`). */
export async function similarDecisions(
  db: Db,
  id: string,
  options: Parameters<typeof selectSimilarDecisions>[2],
): Promise<(Omit<SimilarDecision, 'by'> & { decided_by: string | null })[]> {
  const rows = await selectSimilarDecisions(db, id, options);
  return rows.map(({ outcome, rule, ...row }) => ({
    ...row,
    outcome: outcome as DecisionOutcome,
    rule: rule as ReviewRule,
  }));
}

interface ReportedText {
  readonly position_title: string;
  readonly employer_name: string;
  readonly text: string;
  readonly reports: { count: number; reason: Report['reason'] } | null;
}

/** What a row of the queue says about each review, or about the replies to them. */
export async function reportedTexts(
  db: Db,
  table: 'review_reports' | 'reply_reports',
  ids: readonly string[],
): Promise<Map<string, ReportedText>> {
  if (ids.length === 0) return new Map();
  const [titles, stored, replies] = await Promise.all([
    selectTitles(db, ids),
    selectReports(db, ids, table),
    table === 'reply_reports' ? selectByReview(db, ids) : [],
  ]);
  const replyTo = new Map(replies.map(({ review_id, text }) => [review_id, text]));
  return new Map(
    titles.map(({ id, review_text, ...title }) => {
      const { reports } = splitReports(stored.get(id));
      const [urgent] = reports.toSorted(
        (a, b) => REPORT_PRIORITIES[a.reason] - REPORT_PRIORITIES[b.reason],
      );
      const summary = urgent ? { count: reports.length, reason: urgent.reason } : null;
      return [id, { ...title, text: replyTo.get(id) ?? review_text, reports: summary }];
    }),
  );
}
