import { Bookmark, PenLine, UserRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { redirect, useLocation, useSearchParams } from 'react-router';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import {
  DASHBOARD_LOAD_MORE_DELAY_MS,
  DASHBOARD_PAGE_SIZE,
  SCROLL_REPEAT_MS,
} from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import type { AnsweredReport } from '#contract/reviews/review-feedback.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { type ReviewValues, unsentReviews } from '#web/features/reviews/form/review-values.ts';
import { OwnReviewList } from '#web/features/reviews/own/own-review-list.tsx';
import {
  canWrite,
  loadOwnReviews,
  NoReviews,
  OwnReviewsOrWhy,
  ownReviewWrites,
  StatisticsLine,
  statisticsOf,
  useReviewDialog,
} from '#web/features/reviews/own/own-reviews.tsx';
import { interruptedCase } from '#web/lib/form-drafts.ts';
import { formatCount, formatLocation, formatLongDate } from '#web/lib/format.ts';
import { requireUser } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { scrollLater } from '#web/lib/scroll.ts';
import { api } from '#web/lib/session.ts';
import { doctorName } from '#web/lib/session-store.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/dashboard.ts';

interface DashboardListProps {
  reviews: readonly OwnReview[];
  /** What the user has just done. */
  news: keyof typeof NEWS | null;
  /** The review that was just written. */
  newId: string | undefined;
}

const NEWS = {
  new: 'Your new review has been posted.',
  scheduled: 'Your review is scheduled. Only you can see it until it goes live.',
  updated: 'Your review has been updated.',
} as const;

/** Shows five reviews, then five more at a time (docs/product/reviews.md, "Own reviews"). */
function DashboardList({ reviews, news, newId }: DashboardListProps) {
  const { ask, dialog, heading, result } = useReviewDialog();
  // Not always the first: reviews of the same minute have no order, and scheduled ones come first.
  const place = Math.max(
    0,
    reviews.findIndex(({ id }) => id === newId),
  );
  const [shown, setShown] = useState(Math.max(DASHBOARD_PAGE_SIZE, place + 1));
  const [isLoading, setLoading] = useState(false);
  const newest = useRef<HTMLLIElement>(null);
  const isNew = news === 'new' || news === 'scheduled';

  useEffect(() => {
    if (!isNew) return;
    // Runs after the second scroll to the top that every route change makes.
    return scrollLater(() => newest.current?.scrollIntoView(), 2 * SCROLL_REPEAT_MS);
  }, [isNew]);

  function loadMore() {
    setLoading(true);
    setTimeout(() => {
      setLoading(false);
      setShown((before) => before + DASHBOARD_PAGE_SIZE);
    }, DASHBOARD_LOAD_MORE_DELAY_MS);
  }

  return (
    <section aria-labelledby="my-reviews">
      {dialog}
      <h2 id="my-reviews" ref={heading} tabIndex={-1} className="pb-4 font-display text-2xl">
        My Reviews ({formatCount(reviews.length)})
      </h2>
      {result}
      {reviews.length > 0 && <StatisticsLine statistics={statisticsOf(reviews)} />}
      {news && !result && (
        <Banner tone="success" className="mt-6">
          {NEWS[news]}
        </Banner>
      )}
      {reviews.length === 0 ? (
        <NoReviews />
      ) : (
        <div className="pt-6">
          <OwnReviewList
            reviews={reviews.slice(0, shown)}
            onAsk={ask}
            newest={{ id: reviews[place]?.id, ref: newest }}
          />
        </div>
      )}
      {reviews.length > shown && (
        <div className="border-t border-rule pt-8 text-center">
          <Button variant="secondary" busy={isLoading} onClick={loadMore}>
            {isLoading ? 'Loading...' : 'Load more reviews'}
          </Button>
        </div>
      )}
    </section>
  );
}

const OUTCOMES = { kept: 'Kept', removed: 'Removed', restored: 'Restored' } as const;

/** The outcomes of the user's reports. Renders nothing if no moderator has answered one lately. */
function AnsweredReports({ reports }: { reports: readonly AnsweredReport[] }) {
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby="my-reports" className="mt-12">
      <h2 id="my-reports" className="pb-4 font-display text-2xl">
        Your reports
      </h2>
      <ul className="flex flex-col gap-4">
        {reports.map((report, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report has no id
          <li key={place} className="border-t border-rule pt-4">
            <p className="font-semibold">
              {OUTCOMES[report.outcome]}: <About report={report} />
            </p>
            <p className="text-sm text-ink-soft">
              Decided on {formatLongDate(report.decided_on)}. Rule:{' '}
              <Link to={paths.guidelines(ruleAnchor(report.rule))} className="prose-link">
                {REVIEW_RULES[report.rule].name}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function About({
  report: { about, employer, position_title, review_id },
}: {
  report: AnsweredReport;
}) {
  const name = titleCase(employer);
  if (review_id === null)
    return <span>{about === 'reply' ? `a reply from ${name}` : `a review of ${name}`}</span>;
  return (
    <>
      {about === 'reply' && <span>the reply from {name} to </span>}
      <Link to={paths.review(review_id)} className="prose-link">
        {`${position_title ? `${titleCase(position_title)} ` : ''}at ${name}`}
      </Link>
    </>
  );
}

export const meta = () => pageMeta('My dashboard');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const signedIn = await requireUser(request, 'isVerifiedDoctor');
  if (signedIn.user.is_representative) throw redirect(paths.represent());
  const answer = await loadOwnReviews(signedIn);
  const { user } = signedIn;
  // Optional: the page works without them.
  const reports = await orNull(api.call(feedbackEndpoints.answeredReports));
  const [unsent] = unsentReviews(user.id);
  const openCase = user.is_admin ? interruptedCase(user.id) : undefined;
  return { user, answer, reports: reports ?? [], unsent: unsent?.values, openCase };
}

export const clientAction = ownReviewWrites.clientAction;

export default function Dashboard({
  loaderData: { user, answer, reports, unsent, openCase },
}: Route.ComponentProps) {
  const [query] = useSearchParams();
  const { state } = useLocation();
  return (
    <div className="page-width">
      <PageHeading
        title={`Welcome, ${doctorName(user)}`}
        subtitle="Your reviews as everyone else reads them: without your name."
        action={<QuickLinks canWrite={canWrite(answer)} isWriting={unsent !== undefined} />}
      />
      <div className="pt-8">
        {openCase !== undefined && (
          <Banner tone="info" className="mb-8">
            You had a case open in the office. What you typed is still there.{' '}
            <Link to={openCase} className="prose-link">
              Back to the case
            </Link>
          </Banner>
        )}
        {unsent && <UnsentReview review={unsent} />}
        <OwnReviewsOrWhy answer={answer} path={paths.dashboard()}>
          {(reviews) => (
            <DashboardList
              reviews={reviews}
              news={newsIn(query, state?.isScheduled)}
              newId={state?.reviewId}
            />
          )}
        </OwnReviewsOrWhy>
        <AnsweredReports reports={reports} />
      </div>
    </div>
  );
}

/** The URL is the same for a published and a scheduled new review. */
function newsIn(query: URLSearchParams, isScheduled: boolean | undefined) {
  if (query.get('newReview') === 'true') return isScheduled ? 'scheduled' : 'new';
  return query.get('updatedReview') === 'true' ? 'updated' : null;
}

/** After an expired session or a crash, the user returns here, not to the form. */
function UnsentReview({ review: { employer, employer_search, city, state } }: UnsentReviewProps) {
  const name = employer?.name ?? employer_search.trim();
  const place = formatLocation(employer?.city || employer?.state ? employer : { city, state });
  return (
    <section
      aria-labelledby="unsent"
      className="mb-10 flex flex-col items-start gap-4 border-l-3 border-accent bg-accent-wash px-5 py-5"
    >
      <div className="wrap-anywhere">
        <h2 id="unsent" className="label-caps text-base text-accent">
          Your unfinished review
        </h2>
        <p className="mt-1 font-display text-xl">{name ? titleCase(name) : 'No employer yet'}</p>
        {name && place && <p className="text-sm text-ink-soft">{place}</p>}
        <p className="mt-1 text-sm text-ink-soft">What you typed is saved in this browser only.</p>
      </div>
      <Link to={paths.createReview()} className={buttonClass('primary', 'lg')}>
        Continue your review
      </Link>
    </section>
  );
}

interface UnsentReviewProps {
  review: ReviewValues;
}

/** On desktops only. Elsewhere, the tab bar and the menu have these links. */
function QuickLinks({ canWrite, isWriting }: { canWrite: boolean; isWriting: boolean }) {
  return (
    <nav aria-label="Quick links" className="flex gap-3 max-lg:hidden">
      {canWrite && (
        <Link
          to={paths.createReview()}
          className={buttonClass(isWriting ? 'secondary' : 'primary')}
        >
          <PenLine aria-hidden className="size-4" />
          Write a review
        </Link>
      )}
      <Link to={paths.saved()} className={buttonClass('secondary')}>
        <Bookmark aria-hidden className="size-4" />
        Saved
      </Link>
      <Link to={paths.profile()} className={buttonClass('secondary')}>
        <UserRound aria-hidden className="size-4" />
        My account
      </Link>
    </nav>
  );
}
