import { type ReactNode, useRef, useState } from 'react';
import type { OwnReview } from '#contract/reviews.ts';
import { DeleteDialog } from './delete-dialog.tsx';

/**
 * The loaded reviews less those deleted since: they are loaded once (specification, section 4).
 * Render `dialog` beside the list.
 */
export function useOwnReviews(loaded: readonly OwnReview[]) {
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const reviews = loaded.filter(({ id }) => !deleted.includes(id));

  const dialog: ReactNode = (
    <DeleteDialog
      reviewId={asked}
      onDeleted={(id) => setDeleted((before) => [...before, id])}
      onClose={() => {
        setAsked(null);
        // The button that had the focus is gone with its review.
        if (asked !== null && deleted.includes(asked)) heading.current?.focus();
      }}
    />
  );
  return { reviews, askToDelete: setAsked, dialog, heading };
}
