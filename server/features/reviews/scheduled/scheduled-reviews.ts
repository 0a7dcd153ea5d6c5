import { randomInt } from 'node:crypto';
import { DAY_MS, MINUTE_MS, PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { screenReview } from '#contract/reviews/screening.ts';
import type { AuthorKeys } from '#server/anonymity/author.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, refuseIdentifyingText } from '#server/errors/app-error.ts';
import { confirmCaller } from '#server/features/accounts/session/authentication.ts';
import {
  employerToReview,
  lookUpAgain,
  type ReviewedEmployer,
} from '#server/features/employers/employers.ts';
import { requireNotRejected } from '#server/features/employers/queries.ts';
import type { JobHandler } from '#server/jobs/settings.ts';
import type { Caller } from '#server/plugins/access.ts';
import { deleteDeparted } from '../departed-authors.ts';
import { deleteOwn, findSame, insertReview, selectOwn } from '../rows/queries.ts';
import { changeJob, findOfJob } from '../rows/review-authors.ts';
import {
  contentOf,
  duplicateOf,
  type ReviewContent,
  refuseOtherYears,
  toOwnReview,
  toOwnReviews,
} from '../rows/review-row.ts';
import * as scheduled from '../rows/scheduled-queries.ts';

const MINUTES = (PUBLISH_LATER_DAYS * DAY_MS) / MINUTE_MS;

/** A random minute of the next PUBLISH_LATER_DAYS days. */
export function randomMinute(now: Date): Date {
  return new Date(toMinute(now).getTime() + randomInt(1, MINUTES + 1) * MINUTE_MS);
}

/**
 * Stores a review that goes live at a random minute. `isNew`: its employer does not exist and is
 * not in the author's other scheduled reviews. Throws `duplicate_review` and `employer_rejected`.
 */
export async function scheduleReview(
  trx: Db,
  author: AuthorKeys,
  waiting: readonly scheduled.Waiting[],
  employer: ReviewedEmployer,
  content: ReviewContent,
  now: Date,
): Promise<{ isNew: boolean; review: OwnReview }> {
  const twin = await twinOf(trx, waiting, employer);
  if (twin) throw duplicateOf(twin, content);
  await refusePublishedTwin(trx, author, employer, content.position_title);
  const row = await scheduled.insert(trx, author, {
    ...content,
    ...('id' in employer
      ? { employer_id: employer.id }
      : {
          custom_employer: employer.name,
          custom_city: employer.city,
          custom_state: employer.state,
        }),
    publish_at: randomMinute(now),
  });
  const isNew = 'name' in employer && !(await isNamedIn(trx, waiting, employer));
  return { isNew, review: await ownReviewOf(trx, row, now) };
}

/** Whether one of these scheduled reviews is about the same new employer. */
export async function isNamedIn(
  trx: Db,
  waiting: readonly scheduled.Waiting[],
  employer: ReviewedEmployer,
): Promise<boolean> {
  if ('id' in employer) return false;
  for (const one of waiting) {
    const other = employerOf(one);
    if ('name' in other && (await scheduled.isSameName(trx, other, employer))) return true;
  }
  return false;
}

/**
 * Changes a scheduled review. It keeps its publication time, unless it was held. Throws
 * `duplicate_review` and `employer_rejected`.
 */
export async function editScheduled(
  trx: Db,
  author: AuthorKeys,
  { waiting, before }: { waiting: readonly scheduled.Waiting[]; before: scheduled.Waiting },
  content: ReviewContent,
  now: Date,
): Promise<OwnReview> {
  refuseOtherYears(content, before, now);
  const employer = await lookUpAgain(trx, employerOf(before));
  const others = waiting.filter(({ id }) => id !== before.id);
  const twin = await twinOf(trx, others, employer);
  if (twin) throw duplicateOf(twin);
  await refusePublishedTwin(trx, author, employer, content.position_title);
  if ('id' in employer) await requireNotRejected(trx, [employer.id]);
  const again = before.held && { held: false, publish_at: randomMinute(now) };
  const row = await scheduled.update(trx, before.id, { ...content, ...again });
  // The author has just withdrawn it.
  if (!row) throw new AppError('not_found');
  await changeJob(trx, row.id, row);
  return ownReviewOf(trx, row, now);
}

/**
 * Schedules the held reviews of an employer again that can be reviewed again. Those that were held
 * for another reason will be held again.
 */
export const resumeScheduled = (trx: Db, employer: scheduled.NamedEmployers, now: Date) =>
  scheduled.resume(trx, employer, () => randomMinute(now));

const employerOf = ({
  employer_id,
  custom_employer,
  custom_city: city,
  custom_state: state,
}: Pick<
  scheduled.Scheduled,
  'employer_id' | 'custom_employer' | 'custom_city' | 'custom_state'
>): ReviewedEmployer =>
  employer_id === null ? { name: custom_employer ?? '', city, state } : { id: employer_id };

/** The author's scheduled review of the same employer and position, if any. */
export async function twinOf(
  trx: Db,
  waiting: readonly scheduled.Waiting[],
  employer: ReviewedEmployer,
): Promise<scheduled.Waiting | undefined> {
  for (const one of waiting) {
    if (!one.is_same_position) continue;
    const other = await lookUpAgain(trx, employerOf(one));
    if ('id' in employer) {
      if ('id' in other && other.id === employer.id) return one;
    } else if ('name' in other && (await scheduled.isSameName(trx, employer, other))) {
      return one;
    }
  }
  return undefined;
}

async function refusePublishedTwin(
  trx: Db,
  author: AuthorKeys,
  employer: ReviewedEmployer,
  positionTitle: string,
) {
  const twin = 'id' in employer && (await findSame(trx, author, employer.id, positionTitle));
  if (twin) throw duplicateOf(twin);
}

async function ownReviewOf(trx: Db, row: scheduled.Scheduled, now: Date): Promise<OwnReview> {
  const [review] = await toOwnReviews(trx, [row], now);
  if (!review) throw new AppError('not_found');
  return review;
}

/**
 * Publishes the caller's scheduled review now. Does nothing to a published one. Throws `not_found`
 * for other authors' reviews, `duplicate_review`, and `identifying_text`.
 */
export async function publishNow(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  caller: Caller,
  id: string,
): Promise<OwnReview> {
  await inTransaction(db, async (trx) => {
    const author = caller.author.keys;
    const own = await scheduled.holdAuthor(trx, author, null);
    await confirmCaller({ keys, clock }, trx, caller);
    const review = own.find((one) => one.id === id);
    if (review) await publish(trx, author, review, toMinute(clock()));
  });
  const row = await selectOwn(db, id, caller.author.keys);
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
