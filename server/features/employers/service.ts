import * as z from 'zod/mini';
import type { ReviewRequest } from '#contract/reviews.ts';
import { REVIEW_CHECKS } from '#contract/reviews.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { findEmployer, findOrAddByName } from './queries.ts';

const EmployerId = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2 ** 31 - 1));

/** The employer that a review names: by id, or by a name that may be new. */
export async function employerOfReview(
  db: Db,
  { employer, is_custom_employer }: Pick<ReviewRequest, 'employer' | 'is_custom_employer'>,
): Promise<number> {
  if (is_custom_employer === 'true') return findOrAddByName(db, employer);
  const id = z.safeParse(EmployerId, employer);
  const found = id.success ? await findEmployer(db, id.data) : undefined;
  if (!found)
    throw new AppError('validation_error', { fields: { employer: [REVIEW_CHECKS.employer] } });
  return found.id;
}
