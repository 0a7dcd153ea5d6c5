import { Suspense, use, useState } from 'react';
import {
  Link,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { loadLockOffer } from '#web/features/accounts/review-lock/review-lock.ts';
import { CreateReviewForm } from '#web/features/reviews/form/create-review-form.tsx';
import { ReviewSent } from '#web/features/reviews/form/review-sent.tsx';
import { reviewWrites } from '#web/features/reviews/form/send-review.ts';
import { requirePoster } from '#web/lib/guards.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/create-review.ts';

export const meta = () => pageMeta('Write a Review');

/** The query parameter that preselects an employer (docs/product.md, "Pages"). */
const EMPLOYER = 'employer';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requirePoster(request);
  const id = new URL(request.url).searchParams.get(EMPLOYER);
  // An unknown employer is ignored.
  const employer = id && (await orNull(api.call(employerEndpoints.read, { params: { id } })));
  return { userId: user.id, employer: employer || null };
}

/** Removing the employer from the URL, or marking the review as sent, changes no data. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const next = nextUrl.searchParams.get(EMPLOYER);
  return next !== null && next !== currentUrl.searchParams.get(EMPLOYER);
}

export const clientAction = reviewWrites.clientAction;

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

/** Offers to lock the first review. Suspends until it is known whether it is the first. */
function LockOffer({ isOffered }: { isOffered: Promise<boolean> }) {
  if (!use(isOffered)) return null;
  return (
    <p className="mt-10 max-w-measure text-sm text-ink-soft">
      You can lock your reviews, so that nobody, not even Curbside, can look up who wrote them.{' '}
      <Link to={paths.reviewLock()} className="prose-link whitespace-nowrap">
        Lock my reviews
      </Link>
    </p>
  );
}
