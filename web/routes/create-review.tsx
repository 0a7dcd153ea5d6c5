import { Suspense, use, useState } from 'react';
import {
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router';
import { type EmployerCandidate, EmployerName } from '#contract/employers/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { loadLockOffer } from '#web/features/accounts/review-lock/review-lock.ts';
import { CreateReviewForm } from '#web/features/reviews/form/create-review-form.tsx';
import { findNamesakes } from '#web/features/reviews/form/employer-candidates.tsx';
import { ReviewSent } from '#web/features/reviews/form/review-sent.tsx';
import { customEmployer, type EmployerChoice } from '#web/features/reviews/form/review-values.ts';
import { reviewWrites } from '#web/features/reviews/form/send-review.ts';
import { requirePoster } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/create-review.ts';

export const meta = () => pageMeta('Write a Review');

/** The query parameters that preselect an employer, by id or by name (docs/product.md, "Pages"). */
const EMPLOYER = 'employer';
const EMPLOYER_NAME = 'employer_name';
const isPreselected = (search: URLSearchParams) =>
  search.has(EMPLOYER) || search.has(EMPLOYER_NAME);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requirePoster(request);
  return { userId: user.id, ...(await preselected(new URL(request.url).searchParams)) };
}

/** An unknown employer is ignored. So is a name that no employer can have. */
async function preselected(search: URLSearchParams): Promise<Preselected> {
  const id = search.get(EMPLOYER);
  if (id) {
    const employer = await orNull(api.call(employerEndpoints.read, { params: { id } }));
    return { employer, namesakes: [] };
  }
  const name = EmployerName.safeParse(search.get(EMPLOYER_NAME));
  if (!name.success) return { employer: null, namesakes: [] };
  const namesakes = (await orNull(findNamesakes(name.data))) ?? [];
  return { employer: customEmployer(name.data), namesakes };
}

interface Preselected {
  employer: EmployerChoice | null;
  /** The employers that have the name in the URL. */
  namesakes: readonly EmployerCandidate[];
}

/** Removing the employer from the URL, or marking the review as sent, changes no data. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return [EMPLOYER, EMPLOYER_NAME].some((name) => {
    const next = nextUrl.searchParams.get(name);
    return next !== null && next !== currentUrl.searchParams.get(name);
  });
}

export const clientAction = reviewWrites.clientAction;

export default function CreateReview({ loaderData }: Route.ComponentProps) {
  const { userId, employer, namesakes } = loaderData;
  const navigate = useNavigate();
  const location = useLocation();
  const [search, setSearch] = useSearchParams();
  const [lockOffer, setLockOffer] = useState<Promise<boolean> | null>(null);
  if (location.state?.isSent) {
    const { isScheduled, reviewId } = location.state;
    return (
      <ReviewSent verb={isScheduled ? 'schedule' : 'create'} reviewId={reviewId}>
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
          preselected={isPreselected(search) ? employer : null}
          namesakes={namesakes}
          onEmployerUnlocked={() => {
            if (!isPreselected(search)) return;
            search.delete(EMPLOYER);
            search.delete(EMPLOYER_NAME);
            setSearch(search, { replace: true, preventScrollReset: true });
          }}
          onSent={({ id, isScheduled }) => {
            setLockOffer(loadLockOffer());
            const state = { isSent: true, isScheduled, reviewId: id };
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
      You can lock your reviews so that nobody, not even Curbside, can look up who wrote them.{' '}
      <Link to={paths.reviewLock()} className="prose-link whitespace-nowrap">
        Lock my reviews
      </Link>
    </p>
  );
}
