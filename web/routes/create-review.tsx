import { Suspense, useState } from 'react';
import {
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router';
import type { Employer } from '#contract/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { loadLockOffer } from '#web/features/accounts/review-lock/load-lock.ts';
import { LockOffer } from '#web/features/accounts/review-lock/lock-offer.tsx';
import { CreateReviewForm } from '#web/features/reviews/form/create-review-form.tsx';
import { ReviewSent } from '#web/features/reviews/form/review-sent.tsx';
import { sendReview } from '#web/features/reviews/form/send-review.ts';
import { requirePoster } from '#web/lib/guards.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { writeAction } from '#web/lib/write.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/create-review.ts';

export const meta = () => pageMeta('Write a Review');

/** The query's employer is chosen beforehand (docs/product.md, "Pages"). */
const EMPLOYER = 'employer';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requirePoster(request);
  const employerId = new URL(request.url).searchParams.get(EMPLOYER);
  return { userId: user.id, employer: employerId === null ? null : await findEmployer(employerId) };
}

/** An address that names no employer of ours is one without a choice. */
async function findEmployer(id: string): Promise<Employer | null> {
  try {
    return await api.call(employerEndpoints.read, { params: { id } });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Taking the employer out of the address, or marking the review as sent, changes no data. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const next = nextUrl.searchParams.get(EMPLOYER);
  return next !== null && next !== currentUrl.searchParams.get(EMPLOYER);
}

export const clientAction = writeAction(({ request }: Route.ClientActionArgs) =>
  sendReview(request),
);

export default function CreateReview({ loaderData: { userId, employer } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const [search, setSearch] = useSearchParams();
  const [lockOffer, setLockOffer] = useState<Promise<boolean> | null>(null);
  if (location.state?.isSent) {
    return (
      <ReviewSent verb={location.state.isScheduled ? 'schedule' : 'create'}>
        {lockOffer && (
          <Suspense>
            <LockOffer isOffered={lockOffer} />
          </Suspense>
        )}
      </ReviewSent>
    );
  }
  return (
    <div className="page-width">
      <PageHeading
        title="Write a Review"
        subtitle="Anonymous, and yours to change or delete at any time."
      />
      <div className="pt-6">
        <CreateReviewForm
          userId={userId}
          preselected={search.has(EMPLOYER) ? employer : null}
          onEmployerUnlocked={() => {
            if (!search.has(EMPLOYER)) return;
            search.delete(EMPLOYER);
            setSearch(search, { replace: true, preventScrollReset: true });
          }}
          onSent={({ publish }) => {
            setLockOffer(loadLockOffer());
            const state = { isSent: true, isScheduled: publish === 'later' };
            void navigate('.', { replace: true, state });
          }}
        />
      </div>
    </div>
  );
}
