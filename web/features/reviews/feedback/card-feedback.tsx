import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ERRORS } from '#contract/errors.ts';
import { titleCase } from '#contract/names.ts';
import type { Vote } from '#contract/review-feedback.ts';
import type { Review } from '#contract/reviews.ts';
import { formatCount } from '#web/lib/format.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { useIsAuthenticated } from '#web/lib/session.ts';
import type { Standing } from './feedback-store.ts';
import { shareReview } from './share-review.ts';
import { feedback, useStanding } from './use-standing.ts';

/** It brings the contract's schemas along: for whoever reports something. */
const ReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}));

/**
 * What a reader can do about a review. One's own looks like any other: a glance at the screen must
 * not tell who wrote it. Only whoever tries is told.
 */
export function CardFeedback({ review }: { review: Review }) {
  const standing = useStanding(review.id);
  const isAuthenticated = useIsAuthenticated();
  const [notice, setNotice] = useState<string | null>(null);
  const [isReporting, setReporting] = useState(false);
  const name = titleCase(review.employer.name);
  const voting = { review, standing, isSignedIn: isAuthenticated, onNotice: setNotice };

  return (
    <>
      <div className="-mx-2.5 flex flex-wrap items-center gap-x-1">
        <VoteToggle vote="helpful" {...voting}>
          Helpful ({formatCount(standing.helpfulCount ?? review.helpful_count)})
        </VoteToggle>
        <VoteToggle vote="not_helpful" {...voting}>
          Not helpful
        </VoteToggle>
        <button
          type="button"
          onClick={async () => setNotice(await shareReview(review.id, `A review of ${name}`))}
          className="entry-action noscript:hidden"
        >
          Share
        </button>
        {isAuthenticated && (
          <button
            type="button"
            aria-disabled={standing.isReported || undefined}
            onClick={() => {
              if (standing.isOwn) setNotice(ERRORS.own_review.text);
              else if (!standing.isReported) setReporting(true);
            }}
            className="entry-action"
          >
            {standing.isReported ? 'Reported' : 'Report'}
          </button>
        )}
      </div>
      <p role="status" className="text-sm text-ink-soft wrap-anywhere">
        {notice}
      </p>
      {isReporting && (
        <Suspense>
          <ReportDialog reviewId={review.id} about={name} onClose={() => setReporting(false)} />
        </Suspense>
      )}
    </>
  );
}

interface VoteToggleProps {
  vote: Vote;
  review: Review;
  standing: Standing;
  isSignedIn: boolean;
  onNotice: (notice: string | null) => void;
  children: ReactNode;
}

/** To the login and back, for whoever is not known to be signed in: so the page is for everyone. */
function VoteToggle({ vote, review, standing, isSignedIn, onNotice, children }: VoteToggleProps) {
  const { pathname, search } = useLocation();
  if (!isSignedIn) {
    const redirect = asRedirect(pathname + search);
    return (
      <Link to={paths.login({ redirect })} className="entry-action">
        {children}
      </Link>
    );
  }
  return (
    <button
      type="button"
      aria-pressed={standing.vote === vote}
      onClick={async () => onNotice(await feedback.toggleVote(review, vote))}
      className="entry-action"
    >
      {children}
    </button>
  );
}
