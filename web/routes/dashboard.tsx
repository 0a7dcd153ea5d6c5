import { Bookmark, PenLine, UserRound } from 'lucide-react';
import { redirect, useLocation, useSearchParams } from 'react-router';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { unsentReviews } from '#web/features/reviews/form/review-draft.ts';
import { AnsweredReports } from '#web/features/reviews/own/answered-reports.tsx';
import { DashboardList } from '#web/features/reviews/own/dashboard-list.tsx';
import {
  OwnReviewsFailed,
  StaffHasNone,
  StillVerifying,
} from '#web/features/reviews/own/no-reviews.tsx';
import { loadOwnReviews, ownReviewWrites } from '#web/features/reviews/own/own-reviews.ts';
import { doctorName } from '#web/lib/doctor-name.ts';
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
  const hasUnsent = unsentReviews(user.id).length > 0;
  const openCase = user.is_admin ? interruptedCase(user.id) : undefined;
  return { user, answer, reports: reports ?? [], hasUnsent, openCase };
}

export const clientAction = ownReviewWrites.clientAction;

export default function Dashboard({
  loaderData: { user, answer, reports, hasUnsent, openCase },
}: Route.ComponentProps) {
  const [query] = useSearchParams();
  const { state } = useLocation();
  const canWrite = !('isUnverified' in answer || 'isStaff' in answer);
  return (
    <div className="page-width">
      <PageHeading
        title={`Welcome, ${doctorName(user)}`}
        subtitle="Your reviews as everyone else reads them: without your name."
        action={<QuickLinks canWrite={canWrite} />}
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
        {hasUnsent && <UnsentNotice />}
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
const UnsentNotice = () => (
  <Banner tone="info" className="mb-8">
    You have an unfinished review.{' '}
    <Link to={paths.createReview()} className="prose-link">
      Continue writing
    </Link>
  </Banner>
);

/** On desktops only. Elsewhere, the tab bar and the menu have these links. */
function QuickLinks({ canWrite }: { canWrite: boolean }) {
  return (
    <nav aria-label="Quick links" className="flex gap-3 max-lg:hidden">
      {canWrite && (
        <Link to={paths.createReview()} className={buttonClass()}>
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
