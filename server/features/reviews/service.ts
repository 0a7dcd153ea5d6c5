import type {
  Review,
  ReviewEditRequest,
  ReviewFilterOptions,
  ReviewRequest,
} from '#contract/reviews.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { employerOfReview } from '#server/features/employers/service.ts';
import { suggestTitle } from '#server/features/position-titles/service.ts';
import * as queries from './queries.ts';
import { toReview } from './review-row.ts';

type ReviewDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/** One page of the published reviews, and how many there are in all. */
export async function listReviews(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  filter: queries.ReviewFilter,
) {
  const [rows, count] = await Promise.all([
    queries.selectReviews(db, filter),
    queries.countReviews(db, filter),
  ]);
  const now = clock();
  return { reviews: rows.map((row) => toReview(row, now)), count };
}

/** The caller's own reviews: found through the key that only their session can name. */
export async function ownReviews({ db, keys, clock }: ReviewDeps, userId: string) {
  const rows = await queries.selectByAuthor(db, keys.authorKey(userId));
  const now = clock();
  return rows.map((row) => toReview(row, now));
}

export async function readReview({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string) {
  const row = await queries.selectReview(db, id);
  if (!row) throw new AppError('not_found');
  return toReview(row, clock());
}

/**
 * Publishes a review, and with it the employer if its name is new. The employer's averages
 * follow in the same transaction. Throws `duplicate_review` with the id of the first one.
 */
export async function createReview(
  { db, keys, clock }: ReviewDeps,
  userId: string,
  { employer, is_custom_employer, ...request }: ReviewRequest,
): Promise<Review> {
  const authorKey = keys.authorKey(userId);
  const id = await db.transaction().execute(async (trx) => {
    const employerId = await employerOfReview(trx, { employer, is_custom_employer });
    const inserted = await queries.insertReview(trx, {
      ...toColumns(request),
      author_key: authorKey,
      employer_id: employerId,
      created_at: toMinute(clock()),
    });
    if (!inserted) {
      const first = await queries.findSame(trx, authorKey, employerId, request.position_title);
      throw new AppError('duplicate_review', { extra: { review_id: first?.id } });
    }
    await suggestTitle(trx, request.position_title);
    return inserted;
  });
  return readReview({ db, clock }, id);
}

/** Changes one's own review; the employer stays. Throws `not_found` for anyone else's. */
export async function editReview(
  { db, keys, clock }: ReviewDeps,
  userId: string,
  id: string,
  { employer: _, is_custom_employer: __, ...request }: ReviewEditRequest,
): Promise<Review> {
  await db.transaction().execute(async (trx) => {
    const updated = await queries
      .updateReview(trx, id, keys.authorKey(userId), toColumns(request))
      .catch((error) => {
        if (isDuplicate(error)) throw new AppError('duplicate_review');
        throw error;
      });
    if (!updated) throw new AppError('not_found');
    await suggestTitle(trx, request.position_title);
  });
  return readReview({ db, clock }, id);
}

/** Deletes one's own review. Throws `not_found` for anyone else's. */
export async function removeReview({ db, keys }: ReviewDeps, userId: string, id: string) {
  if (!(await queries.deleteReview(db, id, keys.authorKey(userId)))) {
    throw new AppError('not_found');
  }
}

export async function reviewFilterOptions(db: Db): Promise<ReviewFilterOptions> {
  return {
    ...(await queries.selectFilterValues(db)),
    rating_options: [4, 3, 2, 1].map((stars) => ({
      value: String(stars),
      label: stars === 1 ? '1+ stars' : `${stars}+ stars`,
    })),
    recommendation_options: [
      { value: 'true', label: 'Recommended' },
      { value: 'false', label: 'Not recommended' },
    ],
    employment_status_options: [
      { value: 'true', label: 'Current employees' },
      { value: 'false', label: 'Former employees' },
    ],
  };
}

function toColumns(request: Omit<ReviewRequest, 'employer' | 'is_custom_employer'>) {
  return {
    ...request,
    immigration_support_rating: request.immigration_support_rating ?? null,
    end_year: request.is_current_employee ? null : (request.end_year ?? null),
  };
}

const isDuplicate = (error: unknown) =>
  (error as { constraint?: string }).constraint === 'reviews_once';
