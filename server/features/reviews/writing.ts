import { yearChoices } from '#contract/limits.ts';
import {
  REVIEW_CHECKS,
  type Review,
  type ReviewEditRequest,
  type ReviewRequest,
} from '#contract/reviews.ts';
import { describeFinding, screen } from '#contract/screening.ts';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import { AppError, type FieldErrors } from '#server/app-error.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { accountExists } from '#server/features/accounts/service.ts';
import { countNewEmployer, employerOfReview } from '#server/features/employers/service.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import * as queries from './queries.ts';
import { readReview } from './service.ts';

type WritingDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/**
 * Publishes a review, and with it the employer if its name is new. The employer's averages
 * follow in the same transaction. Throws `identifying_text`, `duplicate_review` with the id of
 * the first one, and `rate_limited` for one new employer too many.
 */
export async function createReview(
  { db, keys, clock }: WritingDeps,
  limits: RateLimits,
  userId: string,
  { employer, is_custom_employer, ...request }: ReviewRequest,
): Promise<Review> {
  refuseIdentifyingText({ ...(is_custom_employer === 'true' && { employer }), ...request });
  const author = keys.authorKeys(userId);
  const columns = toColumns(request);
  const publish = () =>
    inTransaction(db, async (trx) => {
      await queries.holdAuthor(trx, author, 'shared');
      if (!(await accountExists(trx, userId))) throw new AppError('authentication_required');
      const { id: employerId, isNew } = await employerOfReview(trx, {
        employer,
        is_custom_employer,
      });
      const inserted = await queries.insertReview(trx, author, {
        ...columns,
        employer_id: employerId,
        created_at: toMinute(clock()),
      });
      if (!inserted) {
        throw duplicateOf(
          await queries.findSame(trx, author, employerId, request.position_title),
          columns,
        );
      }
      return { id: inserted, isNew };
    });
  const { id } = await (is_custom_employer === 'true'
    ? countNewEmployer({ db }, limits, userId, employer, publish)
    : publish());
  return readReview({ db, clock }, id);
}

/**
 * Changes one's own review; the employer stays. Throws `not_found` for anyone else's,
 * `review_removed` for one that a moderator has removed.
 */
export async function editReview(
  { db, keys, clock }: WritingDeps,
  userId: string,
  id: string,
  { employer: _, is_custom_employer: __, ...request }: ReviewEditRequest,
): Promise<Review> {
  refuseIdentifyingText(request);
  const author = keys.authorKeys(userId);
  const columns = toColumns(request);
  let writtenFor: number | undefined;
  try {
    await inTransaction(db, async (trx) => {
      const before = await queries.lockOwn(trx, id, author);
      if (!before) throw new AppError('not_found');
      if (before.removed_reason !== null) throw new AppError('review_removed');
      refuseOtherYears(columns, before, clock());
      writtenFor = before.written_for;
      await queries.updateReview(trx, id, columns);
    });
  } catch (error) {
    if (!isDuplicate(error) || writtenFor === undefined) throw error;
    throw duplicateOf(
      await queries.findSame(db, author, writtenFor, request.position_title),
      columns,
    );
  }
  return readReview({ db, clock }, id);
}

/** Deletes one's own review, published or not. Throws `not_found` for anyone else's. */
export async function removeReview(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userId: string,
  id: string,
) {
  const author = keys.authorKeys(userId);
  if (!(await inTransaction(db, (trx) => queries.deleteReview(trx, id, author)))) {
    throw new AppError('not_found');
  }
}

type Texts = Partial<
  Record<'employer' | 'review_text' | 'position_title' | 'pros' | 'cons', string>
>;

function refuseIdentifyingText({ employer, review_text, position_title, pros, cons }: Texts) {
  const findings = screen({ employer, review_text, position_title, pros, cons });
  const [first] = findings;
  if (!first) return;
  const fields: FieldErrors = {};
  for (const finding of findings) {
    fields[finding.field] ??= [];
    fields[finding.field]?.push(describeFinding(finding));
  }
  throw new AppError('identifying_text', { fields, extra: { findings } });
}

/** Years must be among the 30 choices of today, or stand in the review already. */
function refuseOtherYears(
  { start_year, end_year }: ReturnType<typeof toColumns>,
  before: { start_year: number; end_year: number | null },
  now: Date,
) {
  const choices = yearChoices(now);
  const fields: FieldErrors = {};
  if (start_year !== before.start_year && !choices.includes(start_year)) {
    fields['start_year'] = [REVIEW_CHECKS.start_year];
  }
  if (end_year !== null && end_year !== before.end_year && !choices.includes(end_year)) {
    fields['end_year'] = [REVIEW_CHECKS.end_year];
  }
  if (Object.keys(fields).length > 0) throw new AppError('validation_error', { fields });
}

/**
 * `review_id` leads to the first review. `identical`: it says the very same, so that a client that
 * lost the answer and sent again knows that its review is there.
 */
function duplicateOf(
  first: (Record<string, unknown> & { id: string }) | undefined,
  columns: ReturnType<typeof toColumns>,
): AppError {
  const identical = Object.entries(columns).every(([name, value]) => first?.[name] === value);
  return new AppError('duplicate_review', {
    extra: { review_id: first?.id ?? null, identical: identical && first !== undefined },
  });
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
