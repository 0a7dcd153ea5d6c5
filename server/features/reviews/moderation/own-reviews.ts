import { REPORT_PRIORITIES } from '#contract/cases.ts';
import type { SimilarDecision } from '#contract/office/case-queue.ts';
import type { DecisionOutcome, ReviewRule } from '#contract/review-rules.ts';
import type { EarlierDecision, Report } from '#contract/reviews/review-moderation.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import type { Author, AuthorKeys } from '#server/anonymity/author.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { noticesAbout } from '#server/legal-demands/demands.ts';
import { askAgain } from '../feedback/votes-and-reports.ts';
import * as queries from '../rows/queries.ts';
import { selectTitles, updateReview } from '../rows/queries.ts';
import { selectByReview } from '../rows/reply-queries.ts';
import { toOwnReview, toOwnReviews } from '../rows/review-row.ts';
import * as scheduled from '../rows/scheduled-queries.ts';
import {
  selectLastChanges,
  selectReviewDecisions,
  selectSimilarDecisions,
  toAppeal,
  toDecision,
  toOwnDecision,
} from './decision-queries.ts';
import { selectAnswered, selectReports, splitReports } from './moderated-reviews.ts';

/**
 * Adds to each of an author's reviews the last decision that changed whether it is public, and
 * legal demands. A decision to keep a review is omitted: it would reveal that somebody reported it.
 */
async function withDecisions(
  db: Db,
  reviews: readonly OwnReview[],
  now: Date,
): Promise<OwnReview[]> {
  if (reviews.length === 0) return [];
  const ids = reviews.map(({ id }) => id);
  const [rows, notices] = await Promise.all([selectLastChanges(db, ids), noticesAbout(db, ids)]);
  const decisions = new Map(rows.map((row) => [row.review_id, toOwnDecision(row, now)]));
  return reviews.map((review) => {
    const decision = decisions.get(review.id);
    const legal_demands = notices.get(review.id);
    return { ...review, ...(decision && { decision }), ...(legal_demands && { legal_demands }) };
  });
}

/**
 * Throws `review_removed` unless the hidden review is waiting for its author to edit it, and
 * `appeal_open` while the author has appealed instead. The review must be locked.
 */
export async function requireEditable(trx: Db, now: Date, id: string): Promise<void> {
  const [row] = await selectLastChanges(trx, [id]);
  if (row?.outcome === 'hold' && row.text !== null && row.appeal_outcome === null) {
    throw new AppError('appeal_open');
  }
  if (!row || !toOwnDecision(row, now).may_edit) throw new AppError('review_removed');
}

const RESUBMITTED = 'A moderator is going to look at this review.';

/** Sends a held review back to the moderators after its author has edited it. It stays hidden. */
export async function resubmit(trx: Db, clock: Clock, id: string): Promise<void> {
  await updateReview(trx, id, { removed_reason: RESUBMITTED });
  await askAgain(trx, clock, id);
}

/** The caller's own reviews, scheduled ones first. */
export async function ownReviews(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { keys: author }: Author,
): Promise<OwnReview[]> {
  const now = clock();
  const toPublished = ({ has_scheduled: _, ...row }: OwnRow) => toOwnReview(row, now);
  const only = await queries.selectByAuthor(db, author);
  // Most authors have no scheduled reviews, so this is enough.
  if (only[0]?.has_scheduled === false) return withDecisions(db, only.map(toPublished), now);
  // In this order: one that goes live in between is in both results, and counts as published.
  const waiting = await scheduled.selectByAuthor(db, author);
  const rows = await queries.selectByAuthor(db, author);
  const ids = new Set(rows.map(({ id }) => id));
  const others = waiting.filter(({ id }) => !ids.has(id));
  const published = await withDecisions(db, rows.map(toPublished), now);
  return [...(await toOwnReviews(db, others, now)), ...published];
}

/** An author's published or removed review, as its author sees it. Throws `not_found`. */
export async function ownReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
  author: AuthorKeys,
): Promise<OwnReview> {
  const row = await queries.selectOwn(db, id, author);
  if (!row) throw new AppError('not_found');
  const [review] = await withDecisions(db, [toOwnReview(row, clock())], clock());
  if (!review) throw new AppError('not_found');
  return review;
}

type OwnRow = Awaited<ReturnType<typeof queries.selectByAuthor>>[number];

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

export interface ReportedText {
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
