import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ERRORS } from '#contract/errors.ts';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews.ts';
import { formatCount } from '#web/lib/format.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
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
  const { isAuthenticated } = useSession();
  const [notice, setNotice] = useState<string | null>(null);
  const [isReporting, setReporting] = useState(false);
  const name = titleCase(review.employer.name);

  return (
    <>
      <div className="-mx-2.5 flex flex-wrap items-center gap-x-1">
        <Helpful
          review={review}
          standing={standing}
          isSignedIn={isAuthenticated}
          onNotice={setNotice}
        />
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
          <ReportDialog
            reviewId={review.id}
            about={name}
            onReported={() => feedback.markReported(review.id)}
            onClose={() => setReporting(false)}
          />
        </Suspense>
      )}
    </>
  );
}

interface HelpfulProps {
  review: Review;
  standing: Standing;
  isSignedIn: boolean;
  onNotice: (notice: string | null) => void;
}

/** To the login and back, for whoever is not known to be signed in: so the page is for everyone. */
function Helpful({ review, standing, isSignedIn, onNotice }: HelpfulProps) {
  const { pathname, search } = useLocation();
  const label = `Helpful (${formatCount(standing.helpfulCount ?? review.helpful_count)})`;
  if (!isSignedIn) {
    const redirect = asRedirect(pathname + search);
    return (
      <Link to={paths.login({ redirect })} className="entry-action">
        {label}
      </Link>
    );
  }
  return (
    <button
      type="button"
      aria-pressed={standing.isHelpful}
      onClick={async () => onNotice(await feedback.toggleHelpful(review))}
      className="entry-action"
    >
      {label}
    </button>
  );
}
