import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OwnReviewWrite } from './own-reviews.ts';
import { ReviewDialog } from './review-dialog.tsx';

/** Render `dialog` beside the list. */
export function useReviewDialog() {
  const [asked, ask] = useState<OwnReviewWrite | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  function close(isDone: boolean) {
    // Closed first: a modal dialog keeps the focus to itself.
    flushSync(() => ask(null));
    // The button that had the focus is gone.
    if (isDone) heading.current?.focus();
  }

  const dialog = asked && <ReviewDialog asked={asked} onClose={close} />;
  return { ask, dialog, heading };
}
