import { draftsOf } from '#web/lib/drafts.ts';
import { session } from '#web/lib/session.ts';
import { EMPTY_REVIEW, type ReviewValues } from './review-values.ts';

/** Where a form keeps what is typed in it. */
export interface ReviewDraft {
  id: string;
  /** What an earlier visit left. */
  restored: ReviewValues | null;
  save(values: ReviewValues): void;
  discard(): void;
}

const EDIT_PREFIX = 'edit-';

const drafts = (userId: string) => draftsOf<ReviewValues>(window.localStorage, userId, Date.now);

/** New reviews that were begun and not sent, the last one typed at first. */
export const unsentReviews = (userId: string) =>
  drafts(userId)
    .list()
    .filter(({ id }) => !id.startsWith(EDIT_PREFIX));

/** The draft of a new review: of this employer or of none yet; without an employer, the last. */
export function newReviewDraft(userId: string, employerId: number | null): ReviewDraft {
  const found = unsentReviews(userId).find(
    ({ values: { employer } }) =>
      employerId === null || employer === null || employer.id === employerId,
  );
  return openDraft(userId, found?.id ?? crypto.randomUUID());
}

export const editDraft = (userId: string, reviewId: string) =>
  openDraft(userId, EDIT_PREFIX + reviewId);

export function openDraft(userId: string, id: string): ReviewDraft {
  const stored = drafts(userId).find(id);
  return {
    id,
    restored: stored && { ...EMPTY_REVIEW, ...stored.values },
    save(values) {
      // Signed out in another tab: what is typed from here on is nobody's.
      if (session.get().user?.id === userId) drafts(userId).save(id, values);
    },
    discard: () => drafts(userId).remove(id),
  };
}
