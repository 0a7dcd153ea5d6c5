import type {
  ListedReview,
  ModeratedReview,
  Report,
  ReportsQuery,
} from '#contract/reviews/review-moderation.ts';
import type { ReviewRecord } from '#contract/reviews/reviews.ts';
import { openCasesOf } from '#server/cases/queue.ts';
import { versionOf } from '#server/cases/version.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { selectByIds } from '#server/features/reviews/rows/queries.ts';
import { contentOf } from '#server/features/reviews/rows/review-content.ts';
import { toReviewRecord } from '#server/features/reviews/rows/review-row.ts';
import { RESUBMITTED } from '../feedback/votes-and-reports.ts';
import { isAppealOpen, selectLastChanges } from './decision-queries.ts';
import { isHeld, toOpenAppeal } from './decision-row.ts';
import * as queries from './queries.ts';

export type ModerationDeps = Pick<Deps, 'db' | 'clock'>;

const LISTS = {
  open: queries.selectReported,
  removed: queries.selectRemoved,
  kept: queries.selectKept,
  replies: queries.selectWithRemovedReply,
} as const;

/** One page of the reviews for moderators, and the number on all pages. */
export async function listModerated(
  deps: ModerationDeps,
  query: ReportsQuery,
): Promise<{ reviews: ListedReview[]; count: number }> {
  const { ids, count } = await LISTS[query.show](deps.db, query);
  const cases = await openCasesOf(deps.db, 'report', ids);
  const moderated = await moderatedReviews(deps, ids, cases);
  const reviews = moderated.map((one) => ({
    ...one,
    case_id: cases.get(one.review.id)?.id ?? null,
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
    queries.selectReports(db, ids, 'review_reports'),
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

/** Of what the author wrote. Votes and the employer's reply change nothing about a decision. */
export const reviewVersion = (review: ReviewRecord): string => versionOf(contentOf(review));

/** The version of a locked review. */
export async function currentVersion(
  { db, clock }: ModerationDeps,
  id: string,
): Promise<string | undefined> {
  const [row] = await selectByIds(db, [id]);
  return row && reviewVersion(toReviewRecord(row, clock()));
}

/** A resubmission is stored as a report, but is not one. */
export const splitReports = (stored: readonly queries.StoredReport[] = []) => ({
  reports: stored.filter((one): one is Report => one.reason !== RESUBMITTED),
  is_resubmitted: stored.some(({ reason }) => reason === RESUBMITTED),
});
