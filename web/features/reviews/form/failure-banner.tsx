import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import type { Failure } from './submit-failure.ts';

/**
 * Above the form, and stays in sight while the form scrolls to the field at fault. Without such a
 * field it takes the focus itself.
 */
export function FailureBanner({ failure }: { failure: Failure }) {
  const ref = useRef<HTMLDivElement>(null);
  const { message, field, existingReviewId, isUnanswered } = failure;

  useEffect(() => {
    if (field === undefined) ref.current?.focus();
  }, [field]);

  return (
    <Banner ref={ref} tone="error" tabIndex={-1} className="sticky top-0 z-20 mb-6 scroll-mt-24">
      <p>{message}</p>
      {existingReviewId && (
        <p className="mt-1">
          <Link to={paths.editReview(existingReviewId)} className="underline underline-offset-2">
            Edit your first review
          </Link>
        </p>
      )}
      {isUnanswered && (
        <p className="mt-1">
          Everything you typed is kept in this browser. Sending it again makes no second review.
        </p>
      )}
    </Banner>
  );
}
