import { Bookmark, PenLine, UserRound } from 'lucide-react';
import { redirect, useLocation, useSearchParams } from 'react-router';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { titleCase } from '#contract/names.ts';
import { unsentReviews } from '#web/features/reviews/form/review-draft.ts';
import type { ReviewValues } from '#web/features/reviews/form/review-values.ts';
import { AnsweredReports } from '#web/features/reviews/own/answered-reports.tsx';
import { DashboardList } from '#web/features/reviews/own/dashboard-list.tsx';
import {
  OwnReviewsFailed,
  StaffHasNone,
  StillVerifying,
} from '#web/features/reviews/own/no-reviews.tsx';
import { loadOwnReviews, ownReviewWrites } from '#web/features/reviews/own/own-reviews.ts';
import { doctorName } from '#web/lib/doctor-name.ts';
import { formatLocation } from '#web/lib/format.ts';
import { requireUser } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { interruptedCase } from '#web/lib/office-drafts.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/dashboard.ts';

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
  const canWrite = !('isUnverified' in answer || 'isStaff' in answer);
  return (
    <div className="page-width">
      <PageHeading
        title={`Welcome, ${doctorName(user)}`}
        subtitle="Your reviews as everyone else reads them: without your name."
        action={<QuickLinks canWrite={canWrite} isWriting={unsent !== undefined} />}
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
        {'isUnverified' in answer ? (
          <StillVerifying />
        ) : 'isStaff' in answer ? (
          <StaffHasNone />
        ) : 'failure' in answer ? (
          <OwnReviewsFailed failure={answer.failure} path={paths.dashboard()} />
        ) : (
          <DashboardList reviews={answer.reviews} news={newsIn(query, state?.isScheduled)} />
        )}
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
