import { draftsOf } from '#web/lib/drafts.ts';
import { randomId } from '#web/lib/random-id.ts';
import { session } from '#web/lib/session.ts';
import { isRoomFor } from '#web/lib/storage-room.ts';
import { browserStorage } from '#web/lib/store.ts';
import {
  EMPTY_REVIEW,
  type EmployerChoice,
  isSameEmployer,
  type ReviewValues,
} from './review-values.ts';

/** Stores what the user types in a form. */
export interface ReviewDraft {
  id: string;
  /** The values from an earlier visit. */
  restored: ReviewValues | null;
  /** Returns false if the storage is full. */
  save(values: ReviewValues): boolean;
  discard(): void;
}

const EDIT_PREFIX = 'edit-';

const drafts = (userId: string) => draftsOf<ReviewValues>(browserStorage, userId, Date.now);

/** Drafts of new reviews, latest first. */
export const unsentReviews = (userId: string) =>
  drafts(userId)
    .list()
    .filter(({ id }) => !id.startsWith(EDIT_PREFIX));

/** The latest draft for this employer or for none. If `wanted` is null, the latest of all. */
export function newReviewDraft(userId: string, wanted: EmployerChoice | null): ReviewDraft {
  const found = unsentReviews(userId).find(
    ({ values: { employer } }) => !wanted || !employer || isSameEmployer(employer, wanted),
  );
  return openDraft(userId, found?.id ?? randomId());
}

export const editDraft = (userId: string, reviewId: string) =>
  openDraft(userId, EDIT_PREFIX + reviewId);

export function openDraft(userId: string, id: string): ReviewDraft {
  const stored = drafts(userId).find(id);
  return {
    id,
    restored: stored && { ...EMPTY_REVIEW, ...stored.values },
    save(values) {
      // Do not save after a sign-out in another tab.
      if (session.owner() !== userId) return true;
      return isRoomFor(() => drafts(userId).save(id, values));
    },
    discard: () => drafts(userId).remove(id),
  };
}
