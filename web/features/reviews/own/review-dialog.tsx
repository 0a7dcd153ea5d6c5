import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { type ApiError, textMember } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { type OwnReviewQuestion, ownReviewWrites } from './own-reviews.ts';

const TEXTS = {
  delete: {
    title: 'Delete review',
    button: 'Delete',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmDelete,
    doneTitle: 'Review deleted',
    done: REVIEW_MESSAGES.deleted,
    failed: () => REVIEW_MESSAGES.deleteFailed,
  },
  takeBack: {
    title: 'Withdraw review',
    button: 'Withdraw',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmTakeBack,
    doneTitle: 'Review withdrawn',
    done: REVIEW_MESSAGES.takenBack,
    failed: () => REVIEW_MESSAGES.takeBackFailed,
  },
  publish: {
    title: 'Publish review',
    button: 'Publish now',
    variant: 'primary',
    question: REVIEW_MESSAGES.confirmPublish,
    doneTitle: 'Review published',
    done: REVIEW_MESSAGES.published,
    failed: ({ response }: ApiError) =>
      textMember(response?.body, 'detail') ?? REVIEW_MESSAGES.publishFailed,
  },
} as const;

interface ReviewDialogProps {
  asked: OwnReviewQuestion;
  onClose: (isDone: boolean) => void;
}

/**
 * Asks for confirmation, writes, and shows the result (docs/product/reviews.md, "Editing and
 * deleting a review"). Mount it only while it is open.
 */
function ReviewDialog({ asked, onClose }: ReviewDialogProps) {
  const { send, isBusy, isDone, error } = useWrite(ownReviewWrites, asked.write);
  const { title, button, variant, question, doneTitle, done, failed } = TEXTS[asked.write];
  const close = () => onClose(isDone);

  return (
    <Dialog
      title={isDone ? doneTitle : title}
      onClose={close}
      actions={
        isDone || error ? (
          <Button onClick={close}>OK</Button>
        ) : (
          <>
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            <Button
              variant={variant}
              busy={isBusy}
              onClick={() => send({ params: { id: asked.reviewId } })}
            >
              {button}
            </Button>
          </>
        )
      }
    >
      {isDone || error ? <p role="alert">{error ? failed(error) : done}</p> : <p>{question}</p>}
    </Dialog>
  );
}

/** Render `dialog` next to the list. */
export function useReviewDialog() {
  const [asked, ask] = useState<OwnReviewQuestion | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  function close(isDone: boolean) {
    // Close first, because a modal dialog traps the focus.
    flushSync(() => ask(null));
    // The button that had the focus is gone.
    if (isDone) heading.current?.focus();
  }

  const dialog = asked && <ReviewDialog asked={asked} onClose={close} />;
  return { ask, dialog, heading };
}
