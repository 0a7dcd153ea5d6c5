import { type ReactNode, Suspense, useState } from 'react';
import { Await, useLocation, useNavigate } from 'react-router';
import type { Employer } from '#contract/employers/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { ERRORS } from '#contract/errors.ts';
import { titleCase } from '#contract/names.ts';
import { CUSTOM_EMPLOYER_ID, REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { OwnReview, Review } from '#contract/reviews/reviews.ts';
import { ReviewForm } from '#web/features/reviews/form/review-form.tsx';
import { ReviewSent } from '#web/features/reviews/form/review-sent.tsx';
import { editDraft, valuesOf } from '#web/features/reviews/form/review-values.ts';
import { reviewWrites } from '#web/features/reviews/form/send-review.ts';
import { formatLocation } from '#web/lib/format.ts';
import { requireVerified } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { LoadingNotice } from '#web/ui/loading.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/edit-review.ts';

interface EditReviewFormProps {
  userId: string;
  review: Review;
  /** More about the review's employer, if it could be loaded. */
  employer: Employer | null;
  onSent: () => void;
}

function EditReviewForm({ userId, review, employer, onSent }: EditReviewFormProps) {
  const [initial] = useState(() => valuesOf(review));
  const [draft] = useState(() => editDraft(userId, review.id));
  return (
    <ReviewForm
      initial={initial}
      draft={draft}
      reviewId={review.id}
      employer={() => (
        <FixedEmployer employer={review.employer} type={employer?.employer_type_display} />
      )}
      onSent={onSent}
    />
  );
}

function FixedEmployer({
  employer,
  type,
}: {
  employer: Review['employer'];
  /** 'Hospital', 'Clinic', ... */
  type: string | undefined;
}) {
  return (
    <div>
      <div className="rounded-md border border-rule bg-sunken p-5">
        <p className="font-semibold wrap-anywhere">{titleCase(employer.name)}</p>
        <p className="text-sm text-ink-soft">
          {[formatLocation(employer), type].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p className="mt-2 text-xs text-ink-faint">
        The healthcare system cannot be changed when editing a review.
      </p>
    </div>
  );
}

export const meta = () => pageMeta('Edit Review');

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { user } = await requireVerified(request);
  // Not awaited: the page shows what it is loading. It never rejects, because nobody may listen yet.
  return { userId: user.id, loading: orNull(loadForEditing(params.reviewId)) };
}

/**
 * Reads the author's own list, and the employer as one of a list. The public review and the public
 * employer have lengths of their own, which would show a network observer which review is being
 * edited. Null if there is no review to edit.
 */
async function loadForEditing(id: string) {
  const own = await api.call(reviewEndpoints.listOwn);
  const review = own.find((one) => one.id === id);
  if (!review) return null;
  const refusal = refusalOf(review);
  if (refusal) return { refusal } as const;
  const { id: employerId } = review.employer;
  // Optional: only the employer's type would be missing.
  const employers =
    employerId === CUSTOM_EMPLOYER_ID
      ? null
      : await orNull(api.call(savedEndpoints.employers, { body: { ids: [employerId] } }));
  return { review, employer: employers?.results[0]?.employer ?? null };
}

/** The error with which the server would refuse an edit. */
function refusalOf({ removed_reason, decision }: OwnReview) {
  if (removed_reason === null || decision?.may_edit) return null;
  if (decision?.awaits_moderator) return 'awaits_moderator';
  return decision?.outcome === 'hold' && decision.appeal?.outcome === null
    ? 'appeal_open'
    : 'review_removed';
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
              loaded === null ? (
                <NoForm message={REVIEW_MESSAGES.editFailed}>
                  <Link
                    reloadDocument
                    to={paths.editReview(params.reviewId)}
                    className={buttonClass('secondary')}
                  >
                    Try again
                  </Link>
                </NoForm>
              ) : 'refusal' in loaded ? (
                <NoForm message={ERRORS[loaded.refusal].text}>
                  <Link to={paths.dashboard()} className={buttonClass('secondary')}>
                    Go to my dashboard
                  </Link>
                </NoForm>
              ) : (
                <EditReviewForm
                  {...loaded}
                  userId={userId}
                  onSent={() => void navigate('.', { replace: true, state: { isSent: true } })}
                />
              )
            }
          </Await>
        </Suspense>
      </div>
    </div>
  );
}

const Loading = () => <LoadingNotice>Loading Review...</LoadingNotice>;

function NoForm({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <Banner tone="error" className="w-full">
        {message}
      </Banner>
      {children}
    </div>
  );
}
