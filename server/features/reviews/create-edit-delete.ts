import type {
  OwnReview,
  Review,
  ReviewEditRequest,
  ReviewRequest,
} from '#contract/reviews/reviews.ts';
import { screenReview } from '#contract/reviews/screening.ts';
import type { Author, AuthorKeys } from '#server/anonymity/author.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import { markEdited } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, refuseIdentifyingText } from '#server/errors/app-error.ts';
import { confirmCaller } from '#server/features/accounts/session/authentication.ts';
import {
  countNewEmployer,
  employerToReview,
  findReviewed,
  type ReviewedEmployer,
} from '#server/features/employers/employers.ts';
import {
  ownReview,
  requireEditable,
  resubmit,
} from '#server/features/reviews/moderation/own-reviews.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { dropSecondLook } from './moderation/second-look.ts';
import { readReview } from './reviews.ts';
import * as queries from './rows/queries.ts';
import { changeJob } from './rows/review-authors.ts';
import {
  duplicateOf,
  isIdentical,
  type ReviewContent,
  refuseOtherYears,
  toContent,
  toReview,
} from './rows/review-row.ts';
import * as scheduled from './rows/scheduled-queries.ts';
import { editScheduled, isNamedIn, scheduleReview, twinOf } from './scheduled/scheduled-reviews.ts';

type WritingDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/**
 * Publishes a review, and creates its employer if the name is new; or schedules the review and
 * creates nothing else. Either way, a new name counts toward the author's limit of new employers.
 * Triggers update the employer's averages in the same transaction. Throws `identifying_text`,
 * `duplicate_review` with the id of the first one, `several_employers`, and `rate_limited`.
 */
export async function createReview(
  { db, keys, clock }: WritingDeps,
  limits: RateLimits,
  caller: Caller,
  { employer, is_custom_employer, city, state, publish, ...request }: ReviewRequest,
): Promise<Review | OwnReview> {
  const newEmployer = is_custom_employer === 'true' ? { employer, city } : {};
  refuseIdentifyingText(screenReview({ ...request, ...newEmployer }));
  const choice = { employer, is_custom_employer, city, state };
  const columns = toContent(request);
  const write = (mayAdd: () => void) =>
    inTransaction(db, async (trx) => {
      const author = caller.author.keys;
      const waiting = await scheduled.holdAuthor(trx, author, request.position_title);
      await confirmCaller({ keys, clock }, trx, caller);
      const named = await findReviewed(trx, choice);
      if ('name' in named) mayAdd();
      return publish === 'later'
        ? scheduleReview(trx, author, waiting, named, columns, clock())
        : publishReview(trx, author, waiting, named, columns, clock());
    });
  const { review } = await (is_custom_employer === 'true'
    ? countNewEmployer(limits, caller, write)
    : write(() => {}));
  return review;
}

async function publishReview(
  trx: Db,
  author: AuthorKeys,
  waiting: readonly scheduled.Waiting[],
  named: ReviewedEmployer,
  columns: ReviewContent,
  now: Date,
) {
  const { id: employer_id, isNew } = await employerToReview(trx, named);
  const twin = await twinOf(trx, waiting, { id: employer_id });
  if (twin) throw duplicateOf(twin);
  const created_at = toMinute(now);
  const row = await queries.insertReview(trx, author, { ...columns, employer_id, created_at });
  if (!row) {
    throw duplicateOf(
      await queries.findSame(trx, author, employer_id, columns.position_title),
      columns,
    );
  }
  return {
    isNew: isNew && !(await isNamedIn(trx, waiting, named)),
    review: toReview(row, now),
  };
}

/**
 * Changes the caller's published or scheduled review. The employer cannot change. Throws
 * `not_found` for other authors' reviews, and `review_removed` for one that a moderator removed.
 * One that is hidden until edited stays hidden, and is sent back to the moderators.
 */
export async function editReview(
  { db, keys, clock }: WritingDeps,
  caller: Caller,
  id: string,
  { employer: _, is_custom_employer: __, city: ___, state: ____, ...request }: ReviewEditRequest,
): Promise<Review | OwnReview> {
  refuseIdentifyingText(screenReview(request));
  const columns = toContent(request);
  const changed = await inTransaction(db, async (trx) => {
    const author = caller.author.keys;
    const waiting = await scheduled.holdAuthor(trx, author, request.position_title);
    await confirmCaller({ keys, clock }, trx, caller);
    const own = waiting.find((one) => one.id === id);
    if (own) return editScheduled(trx, author, { waiting, before: own }, columns, clock());
    const before = await queries.lockOwn(trx, id, author);
    if (!before) throw new AppError('not_found');
    const isHidden = before.removed_reason !== null;
    const employer_id = before.written_for;
    // The constraint only covers one key.
    const same = await queries.findSame(trx, author, employer_id, request.position_title);
    if (isHidden) {
      const identical = same?.id === id && isIdentical(same, columns);
      await requireEditable(trx, clock(), id, { identical });
    }
    refuseOtherYears(columns, before, clock());
    const twin = await twinOf(trx, waiting, { id: employer_id });
    if (twin) throw duplicateOf(twin);
    if (same && same.id !== id) throw duplicateOf(same, columns);
    await queries.updateReview(trx, id, columns);
    await changeJob(trx, id, { ...columns, employer_id });
    await dropSecondLook(trx, id);
    await markEdited(trx, 'report', id);
    if (!isHidden) return null;
    await resubmit(trx, clock, id);
    return ownReview({ db: trx, clock }, id, author);
  });
  if (changed) return changed;
  return readReview({ db, clock }, id);
}

/**
 * Deletes the caller's review: published, removed, or scheduled. Throws `not_found` for other
 * authors' reviews.
 */
export async function removeReview({ db }: Pick<Deps, 'db'>, author: Author, id: string) {
  const isDeleted = await inTransaction(
    db,
    // In this order, to also find one that goes live in between.
    async (trx) =>
      (await queries.deleteOwn(trx, 'scheduled_reviews', id, author.keys)) ||
      queries.deleteOwn(trx, 'reviews', id, author.keys),
  );
  if (!isDeleted) throw new AppError('not_found');
}
