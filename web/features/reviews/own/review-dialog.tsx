import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { type ApiError, textMember } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { OwnReviewWrite } from './own-reviews.ts';

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
    title: 'Take back review',
    button: 'Take back',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmTakeBack,
    doneTitle: 'Review taken back',
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
  asked: OwnReviewWrite;
  onClose: (isDone: boolean) => void;
}

/**
 * Asks, writes, and says how it went (docs/product/reviews.md, "Editing and deleting a review").
 * Mount it while there is a question.
 */
export function ReviewDialog({ asked, onClose }: ReviewDialogProps) {
  const { send, isBusy, outcome } = useWrite<OwnReview | null>();
  const { title, button, variant, question, doneTitle, done, failed } = TEXTS[asked.write];
  const isDone = outcome !== undefined && 'ok' in outcome;
  const close = () => onClose(isDone);

  return (
    <Dialog
      title={isDone ? doneTitle : title}
      isOpen
      onClose={close}
      actions={
        outcome === undefined ? (
          <>
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            <Button variant={variant} busy={isBusy} onClick={() => void send(asked)}>
              {button}
            </Button>
          </>
        ) : (
          <Button onClick={close}>OK</Button>
        )
      }
    >
      {outcome === undefined ? (
        <p>{question}</p>
      ) : (
        <p role="alert">{'ok' in outcome ? done : failed(outcome.error)}</p>
      )}
    </Dialog>
  );
}
