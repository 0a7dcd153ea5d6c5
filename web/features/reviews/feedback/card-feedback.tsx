import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router';
import { ERRORS } from '#contract/errors.ts';
import { titleCase } from '#contract/names.ts';
import type { Vote } from '#contract/reviews/review-feedback.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { useVoteOnReturn, voteOnReturn } from '#web/lib/after-sign-in.ts';
import { formatCount } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { useIsAuthenticated, useSession } from '#web/lib/session.ts';
import { ShareButton } from '#web/ui/share-button.tsx';
import { feedback, type OwnFeedback, useOwnFeedback } from './feedback.ts';

/**
 * Casts the vote that a reader clicked before logging in. `onCast` scrolls the review into view.
 */
function useCastOnReturn(
  review: Review,
  isSignedIn: boolean,
  onCast: (outcome: Promise<string | null>, kind: Vote) => void,
): void {
  const vote = useVoteOnReturn();
  const isMine = vote?.reviewId === review.id;
  const isDone = useRef(false);
  const cast = useEffectEvent(() => {
    if (isDone.current || vote === null) return;
    isDone.current = true;
    onCast(feedback.castVote(review, vote.kind), vote.kind);
  });

  useEffect(() => {
    if (isMine && isSignedIn) cast();
  }, [isMine, isSignedIn]);
}

/** Loaded on demand, because it needs the contract's schemas. */
const LazyReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}));

export const ReportDialog = (props: ComponentProps<typeof LazyReportDialog>) => (
  <Suspense>
    <LazyReportDialog {...props} />
  </Suspense>
);

/**
 * What a reader can do with a review. The user's own review looks like any other, so that a glance
 * at the screen does not reveal its author. Only trying to vote or report does.
 */
export function CardFeedback({ review }: { review: Review }) {
  const own = useOwnFeedback(review.id);
  const isAuthenticated = useIsAuthenticated();
  const { user } = useSession();
  const [notice, setNotice] = useState<string | null>(null);
  const [isReporting, setReporting] = useState(false);
  const toggles = useRef<HTMLDivElement>(null);
  useCastOnReturn(review, isAuthenticated, async (outcome, kind) => {
    const button = toggles.current?.querySelector<HTMLElement>(`[data-vote="${kind}"]`);
    button?.scrollIntoView({ block: 'center' });
    button?.focus({ preventScroll: true });
    setNotice(await outcome);
  });
  const helpful = own.helpfulCount ?? review.helpful_count;
  const voting = { review, own, isSignedIn: isAuthenticated, onNotice: setNotice };

  return (
    <>
      <div ref={toggles} className="relative -mx-2.5 flex flex-wrap items-center gap-x-1">
        <VoteToggle vote="helpful" {...voting}>
          {helpful > 0 ? `Helpful (${formatCount(helpful)})` : 'Helpful'}
        </VoteToggle>
        <VoteToggle vote="not_helpful" {...voting}>
          Not helpful
        </VoteToggle>
        <ShareButton
          path={paths.review(review.id)}
          title={`A review of ${titleCase(review.employer.name)}`}
          className="entry-action"
          onNotice={setNotice}
        />
        {isAuthenticated && !user?.is_representative && (
          <button
            type="button"
            aria-disabled={own.isReported || undefined}
            onClick={() => {
              if (own.isOwn) setNotice(ERRORS.own_review.text);
              else if (!own.isReported) setReporting(true);
            }}
            className="entry-action"
          >
            {own.isReported ? 'Reported' : 'Report'}
          </button>
        )}
      </div>
      <p role="status" className="text-sm text-ink-soft wrap-anywhere">
        {notice}
      </p>
      {isReporting && (
        <ReportDialog
          reviewId={review.id}
          about={titleCase(review.employer.name)}
          onClose={() => setReporting(false)}
        />
      )}
    </>
  );
}

interface VoteToggleProps {
  vote: Vote;
  review: Review;
  own: OwnFeedback;
  isSignedIn: boolean;
  onNotice: (notice: string | null) => void;
  children: ReactNode;
}

/**
 * For signed-out readers, a link to the login page, after which the vote is cast. The server always
 * renders this link, because pages are the same for everyone.
 */
function VoteToggle({ vote, review, own, isSignedIn, onNotice, children }: VoteToggleProps) {
  const { pathname, search } = useLocation();
  if (!isSignedIn) {
    const redirect = asRedirect(pathname + search);
    return (
      <Link
        to={paths.login({ redirect })}
        state={voteOnReturn(review.id, vote)}
        className="entry-action"
      >
        {children}
      </Link>
    );
  }
  return (
    <button
      type="button"
      data-vote={vote}
      aria-pressed={own.vote === vote}
      onClick={async () => onNotice(await feedback.toggleVote(review, vote))}
      className="entry-action"
    >
      {children}
    </button>
  );
}
