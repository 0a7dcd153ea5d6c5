import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OwnReview } from '#contract/reviews.ts';
import { editDraft } from '#web/features/reviews/form/review-draft.ts';
import { useSession } from '#web/lib/session.ts';
import { DeleteDialog } from './delete-dialog.tsx';

/**
 * The loaded reviews less those deleted since: they are loaded once (specification, section 4).
 * Render `dialog` beside the list.
 */
export function useOwnReviews(loaded: readonly OwnReview[]) {
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<string | null>(null);
  const { user } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const reviews = loaded.filter(({ id }) => !deleted.includes(id));

  const dialog: ReactNode = (
    <DeleteDialog
      reviewId={asked}
      onDeleted={(id) => {
        setDeleted((before) => [...before, id]);
        if (user) editDraft(user.id, id).discard();
      }}
      onClose={() => {
        const isGone = asked !== null && deleted.includes(asked);
        // Closed first: a modal dialog keeps the focus to itself.
        flushSync(() => setAsked(null));
        // The button that had the focus is gone with its review.
        if (isGone) heading.current?.focus();
      }}
    />
  );
  return { reviews, askToDelete: setAsked, dialog, heading };
}
