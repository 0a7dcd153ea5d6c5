import { CUSTOM_EMPLOYER_ID } from '#contract/review-choices.ts';
import type { OwnReview } from '#contract/reviews.ts';
import type { Db } from '#server/db/open.ts';
import { employersByAnyId } from '#server/features/employers/service.ts';
import { toOwnReview } from './review-row.ts';
import type { Scheduled } from './scheduled-queries.ts';

/** Scheduled reviews as their author reads them. */
export async function toOwnReviews(
  db: Db,
  rows: readonly Scheduled[],
  now: Date,
): Promise<OwnReview[]> {
  if (rows.length === 0) return [];
  const ids = rows.flatMap(({ employer_id }) => employer_id ?? []);
  const employers = await employersByAnyId(db, ids);
  return rows.map((row) => {
    const {
      author_key: _,
      employer_id,
      custom_employer,
      custom_employer_key: __,
      position_key: ___,
      publish_at,
      held,
      ...content
    } = row;
    const employer = employer_id === null ? undefined : employers.get(employer_id);
    const record = {
      ...content,
      employer_id: employer?.id ?? CUSTOM_EMPLOYER_ID,
      employer_name: employer?.name ?? custom_employer ?? '',
      employer_city: employer?.city ?? null,
      employer_state: employer?.state ?? null,
      created_at: publish_at,
      specialty: null,
      overall_experience: null,
      helpful_count: 0,
      removed_reason: null,
    };
    return toOwnReview(record, now, held ? 'held' : 'scheduled');
  });
}
