import { Suspense } from 'react';
import { Await, useLocation, useNavigate } from 'react-router';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { CUSTOM_EMPLOYER_ID, REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { EditReviewForm } from '#web/features/reviews/form/edit-review-form.tsx';
import { ReviewSent } from '#web/features/reviews/form/review-sent.tsx';
import { reviewWrites } from '#web/features/reviews/form/send-review.ts';
import { requireVerified } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/edit-review.ts';

export const meta = () => pageMeta('Edit Review');

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { user } = await requireVerified(request);
  // Not awaited: the page shows what it is loading. It never rejects, because nobody may listen yet.
  return { userId: user.id, loading: orNull(loadForEditing(params.reviewId)) };
}

/**
 * Reads the author's own list. The public review has a length of its own, which would show a network
 * observer which one is being edited. Null if there is no review to edit.
 */
async function loadForEditing(id: string) {
  const own = await api.call(reviewEndpoints.listOwn);
  const review = own.find((one) => one.id === id);
  if (!review || (review.removed_reason !== null && !review.decision?.may_edit)) {
    return null;
  }
  const { id: employerId } = review.employer;
  // Optional: only the employer's type would be missing.
  const employer =
    employerId === CUSTOM_EMPLOYER_ID
      ? null
      : await orNull(api.call(employerEndpoints.read, { params: { id: employerId } }));
  return { review, employer };
}

/** Marking the review as sent changes no data. */
export const shouldRevalidate = () => false;

export function HydrateFallback() {
  return <Loading />;
}

export const clientAction = reviewWrites.clientAction;

export default function EditReview({ loaderData, params }: Route.ComponentProps) {
  const { userId, loading } = loaderData;
  const navigate = useNavigate();
  const location = useLocation();
  if (location.state?.isSent) return <ReviewSent verb="update" />;
  return (
    <div className="page-width">
      <PageHeading title="Edit Review" />
      <div className="pt-6">
        <Suspense fallback={<Loading />}>
          <Await resolve={loading}>
            {(loaded) =>
              loaded ? (
                <EditReviewForm
                  {...loaded}
                  userId={userId}
                  onSent={() => void navigate('.', { replace: true, state: { isSent: true } })}
                />
              ) : (
                <LoadFailed reviewId={params.reviewId} />
              )
            }
          </Await>
        </Suspense>
      </div>
    </div>
  );
}

const Loading = () => <LoadingNotice>Loading Review...</LoadingNotice>;

function LoadFailed({ reviewId }: { reviewId: string }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <Banner tone="error" className="w-full">
        {REVIEW_MESSAGES.editFailed}
      </Banner>
      <Link reloadDocument to={paths.editReview(reviewId)} className={buttonClass('secondary')}>
        Try again
      </Link>
    </div>
  );
}
