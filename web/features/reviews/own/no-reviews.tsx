import { useRevalidator } from 'react-router';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { Link } from '#web/lib/link.tsx';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { OwnReviewsFailure } from './own-reviews.ts';

export function NoReviews() {
  return (
    <EmptyState
      title="No reviews yet"
      action={
        <Link to={paths.reviewsCreate()} className={buttonClass()}>
          Write a review
        </Link>
      }
    >
      What you write stays anonymous, and you can edit or delete it here.
    </EmptyState>
  );
}

/** Replaces the list for a doctor who cannot have reviews yet. */
export function StillVerifying() {
  const { doctor } = useSession();
  if (doctor?.verification.refusal) {
    return (
      <EmptyState
        title="Your account is not verified"
        action={
          <Link to={paths.verificationRequired()} className={buttonClass('secondary')}>
            See why, and how to object
          </Link>
        }
      >
        An administrator looked at your account, and decided not to verify it. You can still read
        every review.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="We are still verifying you"
      action={
        <Link to={paths.verificationRequired()} className={buttonClass('secondary')}>
          See the checks
        </Link>
      }
    >
      You can read every review now, and write your own once you are verified.
    </EmptyState>
  );
}

/** Replaces the list for a staff member who is not a doctor. */
export function StaffHasNone() {
  return (
    <EmptyState
      title="No reviews of your own"
      action={
        <Link to={paths.office()} className={buttonClass('secondary')}>
          Go to the office
        </Link>
      }
    >
      {REVIEW_MESSAGES.ownForbidden}
    </EmptyState>
  );
}

/** Replaces the list. Login returns to `path`, which is the page's own. */
export function OwnReviewsFailed({ failure, path }: { failure: OwnReviewsFailure; path: string }) {
  const { revalidate, state } = useRevalidator();
  return (
    <div className="flex flex-col items-start gap-5">
      <Banner tone="error" className="w-full">
        {failure.message}
      </Banner>
      {failure.isSignedOut ? (
        <Link to={paths.login({ redirect: asRedirect(path) })} className={buttonClass()}>
          Sign in
        </Link>
      ) : (
        <Button variant="secondary" busy={state === 'loading'} onClick={() => void revalidate()}>
          Try again
        </Button>
      )}
    </div>
  );
}
