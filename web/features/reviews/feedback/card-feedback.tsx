import { Flag, Share2, ThumbsUp } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ERRORS } from '#contract/errors.ts';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews.ts';
import { formatCount } from '#web/lib/format.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import type { Standing } from './feedback-store.ts';
import { shareReview } from './share-review.ts';
import { feedback, useStanding } from './use-standing.ts';

/** It brings the contract's schemas along: for whoever reports something. */
const ReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}));

const ACTION = buttonClass('quiet', 'sm', 'px-2.5');

/**
 * What a reader can do about a review. One's own looks like any other: a glance at the screen must
 * not tell who wrote it. Only whoever tries is told.
 */
export function CardFeedback({ review }: { review: Review }) {
  const standing = useStanding(review.id);
  const [notice, setNotice] = useState<string | null>(null);
  const [isReporting, setReporting] = useState(false);
  const name = titleCase(review.employer.name);
  const about = <span className="sr-only"> review of {name}</span>;

  return (
    <>
      <div className="-mx-2.5 flex flex-wrap items-center gap-x-1">
        <Helpful review={review} standing={standing} onNotice={setNotice}>
          {about}
        </Helpful>
        <button
          type="button"
          onClick={async () => setNotice(await shareReview(review.id, `A review of ${name}`))}
          className={cx(ACTION, 'noscript:hidden')}
        >
          <Share2 aria-hidden className="size-4" />
          <span>Share{about}</span>
        </button>
        <button
          type="button"
          aria-disabled={standing.isReported || undefined}
          onClick={() => {
            if (standing.isOwn) setNotice(ERRORS.own_review.text);
            else if (!standing.isReported) setReporting(true);
          }}
          className={cx(ACTION, 'signed-out:hidden', standing.isReported && 'text-ink-faint')}
        >
          <Flag aria-hidden className="size-4" />
          <span>
            {standing.isReported ? 'Reported' : 'Report'}
            {about}
          </span>
        </button>
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
  onNotice: (notice: string | null) => void;
  children: ReactNode;
}

/** Signed out, it leads to the login and back; both are in the page, which is the same for all. */
function Helpful({ review, standing, onNotice, children }: HelpfulProps) {
  const { pathname, search } = useLocation();
  const count = standing.helpfulCount ?? review.helpful_count;
  const label = (
    <>
      <ThumbsUp aria-hidden className={cx('size-4', standing.isHelpful && 'fill-current')} />
      <span className="lining-nums">
        Helpful ({formatCount(count)}){children}
      </span>
    </>
  );
  return (
    <>
      <button
        type="button"
        aria-pressed={standing.isHelpful}
        onClick={async () => onNotice(await feedback.toggleHelpful(review))}
        className={cx(ACTION, 'aria-pressed:bg-accent-wash signed-out:hidden')}
      >
        {label}
      </button>
      <Link
        to={paths.login({ redirect: asRedirect(pathname + search) })}
        className={cx(ACTION, 'signed-in:hidden')}
      >
        {label}
      </Link>
    </>
  );
}
