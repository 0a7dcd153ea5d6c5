import { Suspense } from 'react';
import { Await, useLocation, useNavigate } from 'react-router';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { CUSTOM_EMPLOYER_ID, REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { Review } from '#contract/reviews.ts';
import { EditReviewForm } from '#web/features/reviews/form/edit-review-form.tsx';
import { ReviewSent } from '#web/features/reviews/form/review-sent.tsx';
import { reviewWrites } from '#web/features/reviews/form/send-review.ts';
import { requireVerified } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError, orNull } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/edit-review.ts';

export const meta = () => pageMeta('Edit Review');

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { user } = await requireVerified(request);
  // Not awaited: the page shows what it is loading.
  return { userId: user.id, loading: loadForEditing(params.reviewId) };
}

async function loadForEditing(id: string) {
  const review = (await findPublished(id)) ?? (await findHidden(id));
  const { id: employerId } = review.employer;
  // Optional: only the employer's type would be missing.
  const employer =
    employerId === CUSTOM_EMPLOYER_ID
      ? null
      : await orNull(api.call(employerEndpoints.read, { params: { id: employerId } }));
  return { review, employer };
}

/** Null if it is not public, for example because it is scheduled. */
async function findPublished(id: string): Promise<Review | null> {
  try {
    const [review, { own }] = await Promise.all([
      api.call(reviewEndpoints.read, { params: { id } }),
      api.call(feedbackEndpoints.ownVotes, { query: { ids: id } }),
    ]);
    // Fails before the user edits someone else's review.
    if (!own.includes(review.id)) throw new Error('not the author');
    return review;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** A scheduled review, or one that is hidden until it is edited. */
async function findHidden(id: string): Promise<Review> {
  const own = await api.call(reviewEndpoints.listOwn);
  const review = own.find(
    (one) => one.id === id && (one.status !== 'published' || one.decision?.may_edit),
  );
  if (!review) throw new Error('no such review');
  return review;
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
          <Await resolve={loading} errorElement={<LoadFailed reviewId={params.reviewId} />}>
            {(loaded) => (
              <EditReviewForm
                {...loaded}
                userId={userId}
                onSent={() => void navigate('.', { replace: true, state: { isSent: true } })}
              />
            )}
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
