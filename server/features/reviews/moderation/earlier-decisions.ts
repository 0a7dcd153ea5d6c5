import { REPORT_PRIORITIES } from '#contract/cases.ts';
import type { SimilarDecision } from '#contract/office/case-queue.ts';
import type { DecisionOutcome, ReviewRule } from '#contract/review-rules.ts';
import type { EarlierDecision, Report } from '#contract/reviews/review-moderation.ts';
import type { Db } from '#server/db/open.ts';
import { selectTitles } from '#server/features/reviews/rows/queries.ts';
import { selectByReview } from '#server/features/reviews/rows/reply-queries.ts';
import { selectReviewDecisions, selectSimilarDecisions } from './decision-queries.ts';
import { toAppeal, toDecision } from './decision-row.ts';
import { splitReports } from './moderated-reviews.ts';
import { selectAnswered, selectReports } from './queries.ts';

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
