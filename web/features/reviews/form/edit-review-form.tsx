import { useState } from 'react';
import type { Employer } from '#contract/employers.ts';
import type { Review } from '#contract/reviews.ts';
import { FixedEmployer } from './fixed-employer.tsx';
import { editDraft } from './review-draft.ts';
import { ReviewForm } from './review-form.tsx';
import { valuesOf } from './review-values.ts';

interface EditReviewFormProps {
  userId: string;
  review: Review;
  /** What else is known of the review's employer. */
  employer: Employer | null;
  onSent: () => void;
}

export function EditReviewForm({ userId, review, employer, onSent }: EditReviewFormProps) {
  const [initial] = useState(() => valuesOf(review));
  const [draft] = useState(() => editDraft(userId, review.id));
  return (
    <ReviewForm
      initial={initial}
      draft={draft}
      reviewId={review.id}
      employer={() => (
        <FixedEmployer employer={review.employer} type={employer?.employer_type_display} />
      )}
      onSent={onSent}
    />
  );
}
