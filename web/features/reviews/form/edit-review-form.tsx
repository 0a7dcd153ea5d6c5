import { useState } from 'react';
import type { Employer } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews.ts';
import { formatLocation } from '#web/lib/format.ts';
import { editDraft } from './review-draft.ts';
import { ReviewForm } from './review-form.tsx';
import { valuesOf } from './review-values.ts';

interface EditReviewFormProps {
  userId: string;
  review: Review;
  /** More about the review's employer, if it could be loaded. */
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

function FixedEmployer({
  employer,
  type,
}: {
  employer: Review['employer'];
  /** 'Hospital', 'Clinic', ... */
  type: string | undefined;
}) {
  return (
    <div>
      <div className="rounded-md border border-rule bg-sunken p-5">
        <p className="font-semibold wrap-anywhere">{titleCase(employer.name)}</p>
        <p className="text-sm text-ink-soft">
          {[formatLocation(employer), type].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p className="mt-2 text-xs text-ink-faint">
        The healthcare system cannot be changed when editing a review.
      </p>
    </div>
  );
}
