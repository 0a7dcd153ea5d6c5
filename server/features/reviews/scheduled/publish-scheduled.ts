import type { OwnReview } from '#contract/reviews/reviews.ts';
import { screenReview } from '#contract/reviews/screening.ts';
import type { AuthorKeys } from '#server/anonymity/author.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { confirmCaller } from '#server/features/accounts/session/authentication.ts';
import { employerToReview, lookUpAgain } from '#server/features/employers/employers.ts';
import { deleteDeparted } from '#server/features/reviews/departed-authors.ts';
import { deleteOwn, insertReview, selectOwn } from '#server/features/reviews/rows/queries.ts';
import { findOfJob } from '#server/features/reviews/rows/review-authors.ts';
import { contentOf, duplicateOf } from '#server/features/reviews/rows/review-content.ts';
import { toOwnReview } from '#server/features/reviews/rows/review-row.ts';
import * as scheduled from '#server/features/reviews/rows/scheduled-queries.ts';
import { refuseIdentifyingText } from '#server/identifying-text.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import type { Caller } from '#server/plugins/access.ts';
import { employerOf } from './schedule-review.ts';

/**
 * Publishes the caller's scheduled review now. Does nothing to a published one. Throws `not_found`
 * for other authors' reviews, `duplicate_review`, and `identifying_text`.
 */
export async function publishNow(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  caller: Caller,
  id: string,
): Promise<OwnReview> {
  const author = caller.author.keys;
  await inTransaction(db, async (trx) => {
    const own = await scheduled.holdAuthor(trx, author, null);
    await confirmCaller({ keys, clock }, trx, caller);
    const review = own.find((one) => one.id === id);
    if (review) await publish(trx, author, review, toMinute(clock()));
  });
  const row = await selectOwn(db, id, author);
  if (!row) throw new AppError('not_found');
  return toOwnReview(row, clock());
}

type JobDeps = Pick<Deps, 'db' | 'clock' | 'cache'>;

/** Runs every minute: publishes scheduled reviews, and deletes reviews of deleted accounts. */
export function reviewsDue(deps: JobDeps): JobHandler<'reviews-due'> {
  return async () => {
    await publishScheduled(deps).finally(() => deleteDeparted(deps));
  };
}

/**
 * Publishes the scheduled reviews that are due. Several servers may do so at the same time. The job
 * knows only the review's author key, and nothing else about the author.
 */
export async function publishScheduled({ db, clock, cache }: JobDeps): Promise<void> {
  const now = clock();
  const due = await scheduled.selectDue(db, now);
  const errors: unknown[] = [];
  for (const one of due) {
    // An error in one must not delay the others.
    await publishOne(db, one, now).catch((error: unknown) => errors.push(error));
  }
  if (due.length > 0) cache.changed(['reviews', 'employers']);
  if (errors.length > 0) throw errors[0];
}

/** One transaction per review, so that `xmin` does not show which ones were due together. */
async function publishOne(db: Db, due: scheduled.Due, now: Date): Promise<void> {
  const author = [due.author_key];
  let review: scheduled.Scheduled | undefined;
  try {
    await inTransaction(db, async (trx) => {
      const own = await scheduled.holdAuthor(trx, author, null);
      review = own.find((one) => one.id === due.id && !one.held && one.publish_at <= now);
      if (review) await publish(trx, author, review, review.publish_at);
    });
  } catch (error) {
    if (!(error instanceof AppError) || !review) throw error;
    await scheduled.hold(db, review, author);
  }
}

/**
 * Moves a review to `reviews`, under the same id. The row of its author is deleted and inserted
 * again, so that nothing tells it from a review that was posted now. Creates its employer if needed,
 * which counted toward the author's limit when the review was scheduled. Screens the text again,
 * because the rules may have become stricter. Throws `identifying_text`, `duplicate_review`, and
 * `not_found` if the author has just withdrawn it.
 */
async function publish(
  trx: Db,
  author: AuthorKeys,
  row: scheduled.Scheduled,
  created_at: Date,
): Promise<void> {
  const { id, position_title } = row;
  if (!(await deleteOwn(trx, 'scheduled_reviews', id, author))) throw new AppError('not_found');
  refuseIdentifyingText(
    screenReview({ ...row, employer: row.custom_employer, city: row.custom_city }),
  );
  const employer = await lookUpAgain(trx, employerOf(row));
  const { id: employer_id } = await employerToReview(trx, employer);
  const review = { ...contentOf(row), id, employer_id, created_at };
  const inserted = await insertReview(trx, author, review);
  if (!inserted) {
    throw duplicateOf(await findOfJob(trx, author, { employer_id, position_title }));
  }
}
