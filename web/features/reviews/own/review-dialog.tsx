import { useEffect, useRef, useState } from 'react';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { Form } from '#web/form/form.tsx';
import { type ApiError, textMember } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { type OwnReviewQuestion, ownReviewWrites } from './own-reviews.tsx';

const TEXTS = {
  delete: {
    title: 'Delete review',
    button: 'Delete',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmDelete,
    done: REVIEW_MESSAGES.deleted,
    failed: () => REVIEW_MESSAGES.deleteFailed,
  },
  takeBack: {
    title: 'Withdraw review',
    button: 'Withdraw',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmTakeBack,
    done: REVIEW_MESSAGES.takenBack,
    failed: () => REVIEW_MESSAGES.takeBackFailed,
  },
  publish: {
    title: 'Publish review',
    button: 'Publish now',
    variant: 'primary',
    question: REVIEW_MESSAGES.confirmPublish,
    done: REVIEW_MESSAGES.published,
    failed: ({ response }: ApiError) =>
      textMember(response?.body, 'detail') ?? REVIEW_MESSAGES.publishFailed,
  },
} as const;

interface ReviewDialogProps {
  asked: OwnReviewQuestion;
  onClose: () => void;
  onDone: () => void;
}

/**
 * Asks for confirmation, and writes (docs/product/reviews.md, "Editing and deleting a review").
 * Mount it only while it is open.
 */
function ReviewDialog({ asked, onClose, onDone }: ReviewDialogProps) {
  const { send, error } = useWrite(ownReviewWrites, asked.write, { onDone });
  const { title, button, variant, question, failed } = TEXTS[asked.write];
  return (
    <Form
      dialog={{ title }}
      fields={[]}
      action={{ text: button, variant }}
      error={error}
      failure={failed}
      onSubmit={() => send({ params: { id: asked.reviewId } })}
      onCancel={onClose}
    >
      <p>{question}</p>
    </Form>
  );
}

/** Render `dialog` next to the list, and `result`, what was done last, above it. */
export function useReviewDialog() {
  const [asked, setAsked] = useState<OwnReviewQuestion | null>(null);
  const [done, setDone] = useState<OwnReviewQuestion['write'] | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  function ask(question: OwnReviewQuestion) {
    setDone(null);
    setAsked(question);
  }

  useEffect(() => {
    // The button that had the focus is gone.
    if (done) heading.current?.focus();
  }, [done]);

  const dialog = asked && (
    <ReviewDialog
      asked={asked}
      onClose={() => setAsked(null)}
      onDone={() => {
        setAsked(null);
        setDone(asked.write);
      }}
    />
  );
  const result = done && (
    <Banner tone="success" role="alert" className="mb-6">
      {TEXTS[done].done}
    </Banner>
  );
  return { ask, dialog, heading, result };
}
