import { useState } from 'react';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { api } from '#web/lib/session.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** What an author can do about a review that has to be confirmed. */
export interface AskedAction {
  reviewId: string;
  action: keyof typeof ACTIONS;
}

/** Resolves with the review as it is afterwards; null once it is gone. */
const remove = (id: string): Promise<OwnReview | null> =>
  api.call(reviewEndpoints.delete, { params: { id } });

const ACTIONS = {
  delete: {
    title: 'Delete review',
    button: 'Delete',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmDelete,
    run: remove,
    doneTitle: 'Review deleted',
    done: REVIEW_MESSAGES.deleted,
    failed: () => REVIEW_MESSAGES.deleteFailed,
  },
  takeBack: {
    title: 'Take back review',
    button: 'Take back',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmTakeBack,
    run: remove,
    doneTitle: 'Review taken back',
    done: REVIEW_MESSAGES.takenBack,
    failed: () => REVIEW_MESSAGES.takeBackFailed,
  },
  publish: {
    title: 'Publish review',
    button: 'Publish now',
    variant: 'primary',
    question: REVIEW_MESSAGES.confirmPublish,
    run: (id: string): Promise<OwnReview | null> =>
      api.call(reviewEndpoints.publish, { params: { id } }),
    doneTitle: 'Review published',
    done: REVIEW_MESSAGES.published,
    failed: ({ response }: ApiError) =>
      textMember(response?.body, 'detail') ?? REVIEW_MESSAGES.publishFailed,
  },
} as const;

interface ReviewDialogProps {
  /** What to ask about; null while nothing is asked. */
  asked: AskedAction | null;
  onDone: (reviewId: string, review: OwnReview | null) => void;
  /** Also once it is done and the user has read so. */
  onClose: () => void;
}

type Stage = 'asking' | 'busy' | 'done' | 'failed';

/** Asks, acts, and tells how it went (docs/product/reviews.md, "Editing and deleting a review"). */
export function ReviewDialog({ asked, onDone, onClose }: ReviewDialogProps) {
  // About what: closed early, an answer must not stand in the next question.
  const [told, tell] = useState<{ about: AskedAction; stage: Stage; text?: string } | null>(null);
  if (!asked) return null;
  const { title, button, variant, question, run, doneTitle, done, failed } = ACTIONS[asked.action];
  const stage = told?.about === asked ? told.stage : 'asking';
  const isAsking = stage === 'asking' || stage === 'busy';

  async function act(about: AskedAction) {
    tell({ about, stage: 'busy' });
    try {
      const review = await run(about.reviewId);
      tell({ about, stage: 'done', text: done });
      onDone(about.reviewId, review);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell({ about, stage: 'failed', text: failed(error) });
    }
  }

  function close() {
    tell(null);
    onClose();
  }

  return (
    <Dialog
      title={stage === 'done' ? doneTitle : title}
      isOpen
      onClose={close}
      actions={
        isAsking ? (
          <>
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            <Button variant={variant} busy={stage === 'busy'} onClick={() => void act(asked)}>
              {button}
            </Button>
          </>
        ) : (
          <Button onClick={close}>OK</Button>
        )
      }
    >
      <p role={isAsking ? undefined : 'alert'}>{isAsking ? question : told?.text}</p>
    </Dialog>
  );
}
