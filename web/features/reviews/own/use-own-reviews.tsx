import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OwnReview } from '#contract/reviews.ts';
import { editDraft } from '#web/features/reviews/form/review-draft.ts';
import { useSession } from '#web/lib/session.ts';
import { type AskedAction, ReviewDialog } from './review-dialog.tsx';

/**
 * The loaded reviews with what was done about them since: they are loaded once
 * (docs/product/reviews.md, "Own reviews"). Render `dialog` beside the list.
 */
export function useOwnReviews(loaded: readonly OwnReview[]) {
  /** Null for a review that is gone. */
  const [changed, setChanged] = useState<ReadonlyMap<string, OwnReview | null>>(new Map());
  const [asked, ask] = useState<AskedAction | null>(null);
  const { user } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const reviews = loaded.flatMap((review) => {
    const now = changed.get(review.id);
    return now === null ? [] : [now ?? review];
  });

  const dialog: ReactNode = (
    <ReviewDialog
      asked={asked}
      onDone={(id, review) => {
        setChanged((before) => new Map(before).set(id, review));
        if (user && review === null) editDraft(user.id, id).discard();
      }}
      onClose={() => {
        const isDone = asked !== null && changed.has(asked.reviewId);
        // Closed first: a modal dialog keeps the focus to itself.
        flushSync(() => ask(null));
        // The button that had the focus is gone.
        if (isDone) heading.current?.focus();
      }}
    />
  );
  return { reviews, ask, dialog, heading };
}
