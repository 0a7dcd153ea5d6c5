import { randomInt } from 'node:crypto';
import { DAY_MS, MINUTE_MS, PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import type { AuthorKeys } from '#server/anonymity/author.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { lookUpAgain, type ReviewedEmployer } from '#server/features/employers/employers.ts';
import { requireNotRejected } from '#server/features/employers/queries.ts';
import { findSame } from '#server/features/reviews/rows/queries.ts';
import { changeJob } from '#server/features/reviews/rows/review-authors.ts';
import {
  duplicateOf,
  type ReviewContent,
  refuseOtherYears,
} from '#server/features/reviews/rows/review-content.ts';
import { toOwnReviews } from '#server/features/reviews/rows/review-row.ts';
import * as scheduled from '#server/features/reviews/rows/scheduled-queries.ts';

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

export const employerOf = ({
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
