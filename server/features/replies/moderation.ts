import { REPORT_PRIORITIES } from '#contract/cases.ts';
import type { ReportRequest } from '#contract/reviews/review-feedback.ts';
import type { DecisionGrounds, ModeratedReply } from '#contract/reviews/review-moderation.ts';
import type { ReplyOutcome } from '#contract/reviews/review-replies.ts';
import { toDay, toMonth } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { decide, openCase, versionOf } from '#server/cases/cases.ts';
import { openCasesOf } from '#server/cases/queue.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { holdCaller } from '#server/features/accounts/session/authentication.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import { selectReports } from '#server/features/reviews/moderation/moderated-reviews.ts';
import { selectByIds } from '#server/features/reviews/rows/queries.ts';
import * as queries from '#server/features/reviews/rows/reply-queries.ts';
import { toReviewRecord } from '#server/features/reviews/rows/review-row.ts';
import type { Caller } from '#server/plugins/access.ts';

type ModerationDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Reports a public reply to the moderators; a second report by the same person changes nothing. The
 * author of the review may also report it, and gets the same response as anyone. Throws
 * `not_found`.
 */
export function reportReply(
  deps: ModerationDeps & Pick<Deps, 'keys'>,
  caller: Caller,
  review_id: string,
  { reason, note }: ReportRequest,
): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    await holdCaller(deps, trx, caller);
    const [review] = await queries.lockReviews(trx, [review_id]);
    const [reply] = await queries.selectPublic(trx, [review_id]);
    if (!reply || review?.removed_reason !== null) throw new AppError('not_found');
    // The likeliest reporter is the author of the review, so the day is not stored.
    const report = { review_id, reason, note, reported_on: toMonth(deps.clock()) };
    const reporter = caller.author.deedKeys('reply-report', review_id);
    if (!(await queries.insertReport(trx, report, reporter))) return;
    const priority = REPORT_PRIORITIES[reason];
    const subject = { review_id };
    await openCase(trx, deps.clock, { kind: 'reply', subject, priority, isByMember: true });
    const act = { actor: 'reader', action: 'reply.report', subject: review_id } as const;
    await recordAct(trx, deps.clock, { ...act, details: { reason }, isByMonth: true });
  });
}

interface ReplyDecision extends DecisionGrounds {
  readonly reviewId: string;
  readonly outcome: ReplyOutcome;
}

/**
 * Decides about a reply, and closes its reports and its case. `remove` takes it off the public
 * pages, and the employer sees the note; `keep` changes nothing, or publishes a removed one again,
 * unless it is deleted. Throws `not_found`, `changed_meanwhile`, `case_closed`, and `case_claimed`.
 */
export function decideReply(
  deps: ModerationDeps,
  actor: string,
  { reviewId, outcome, version, rule, note, source, case_id }: ReplyDecision,
): Promise<ModeratedReply> {
  const read = async (trx: Db) => (await moderatedReplies({ ...deps, db: trx }, [reviewId]))[0];
  const subject = { review_id: reviewId };
  return decide<ModeratedReply, ModeratedReply>(deps, {
    kinds: ['reply'],
    subject,
    actor,
    case_id,
    version,
    async lock(trx) {
      await queries.lockReviews(trx, [reviewId]);
      return read(trx);
    },
    currentVersion: ({ reply }) => reply.version,
    async change(trx, before) {
      const decided_on = toDay(deps.clock());
      const removed = outcome === 'remove';
      await queries.updateReply(trx, reviewId, { removed, decided_on, rule, note });
      await queries.closeReports(trx, reviewId, { closed_on: decided_on, outcome, rule });
      const meant = before.reply.is_removed && !removed ? 'restore' : outcome;
      const how = source ?? (before.reports.length > 0 ? 'report' : 'moderator');
      const act = { action: `reply.${meant}`, details: { rule, source: how } } as const;
      return { act, answer: (await read(trx)) ?? before };
    },
  });
}

/** Replies with their reviews and open reports, in the order of `ids`, which are review ids. */
export async function moderatedReplies(
  { db, clock }: ModerationDeps,
  ids: readonly string[],
): Promise<ModeratedReply[]> {
  if (ids.length === 0) return [];
  const [rows, replies, reports, cases] = await Promise.all([
    selectByIds(db, ids),
    queries.selectByReview(db, ids),
    selectReports(db, ids, 'reply_reports'),
    openCasesOf(db, 'reply', ids),
  ]);
  const others = replies.flatMap(({ speaks, employer_id }) => (speaks ? [] : [employer_id]));
  const employers = await employersByAnyId(db, others);
  const reviews = new Map(rows.map((row) => [row.id, toReviewRecord(row, clock())]));
  const byReview = new Map(replies.map(({ review_id, ...reply }) => [review_id, reply]));
  return ids.flatMap((id) => {
    const [review, reply] = [reviews.get(id), byReview.get(id)];
    if (!review || !reply) return [];
    const { text, replied_on, removed: is_removed, deleted: is_deleted, speaks } = reply;
    const other_employer = speaks ? null : (employers.get(reply.employer_id)?.name ?? null);
    const flags = { version: versionOf(text), is_removed, is_deleted, other_employer };
    return {
      review,
      reply: { text, replied_on, ...flags },
      reports: reports.get(id) ?? [],
      is_edited: cases.get(id)?.edited ?? false,
    };
  });
}
