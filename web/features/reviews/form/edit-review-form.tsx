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
  employer: Employer;
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
      employer={() => <FixedEmployer employer={employer} />}
      onSent={onSent}
    />
  );
}
