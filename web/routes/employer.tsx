import { ArrowLeft, PenLine } from 'lucide-react';
import { isRouteErrorResponse, Link, useLocation } from 'react-router';
import { EMPLOYER_MESSAGES, type Employer } from '#contract/employers.ts';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { EmployerOverview } from '#web/features/employers/employer-overview.tsx';
import { EmployerRatings } from '#web/features/employers/employer-ratings.tsx';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { formatCount, formatLocation } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { apiPaths, paths } from '#web/lib/paths.ts';
import { loadFromApi } from '#web/lib/server-api.ts';
import { titleCase } from '#web/lib/title-case.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { NotFoundScreen } from '#web/shell/error-screens.tsx';
import { MemberLink } from '#web/shell/session-link.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/employer.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  const [employer, reviews] = await Promise.all([
    loadFromApi<Employer>(context, apiPaths.employer(params.employerId)),
    loadFromApi<Page<Review>>(
      context,
      apiPaths.employerReviews(params.employerId, { page_size: 100 }),
    ),
  ]);
  return { employer, reviews: reviews.results };
}

export function meta({ loaderData, error }: Route.MetaArgs) {
  if (error !== undefined || !loaderData) return pageMeta(EMPLOYER_MESSAGES.notFound);
  const name = titleCase(loaderData.employer.name);
  const place = formatLocation(loaderData.employer);
  return pageMeta(
    `${name} reviews`,
    `What doctors say about working at ${name}${place && `, ${place}`}: anonymous ratings and reviews.`,
  );
}

export default function EmployerDetail({ loaderData }: Route.ComponentProps) {
  const { employer, reviews } = loaderData;
  const name = titleCase(employer.name);
  const createPath = paths.createReview({ employer: employer.id });
  return (
    <div className="page-width">
      <BackLink />
      <PageHeading
        title={name}
        subtitle={employer.employer_type_display}
        action={
          <MemberLink to={createPath} className={buttonClass('primary', 'md', 'max-sm:hidden')}>
            <PenLine aria-hidden className="size-4" />
            Write a review
          </MemberLink>
        }
      />
      <EmployerOverview employer={employer} />
      <EmployerRatings employer={employer} />
      <section aria-labelledby="reviews" className="mt-6">
        <h2 id="reviews" className="pb-4 font-display text-2xl">
          Reviews ({formatCount(employer.total_reviews)})
        </h2>
        {reviews.length === 0 ? (
          <EmptyState
            title="No reviews yet"
            action={
              <Link to={createPath} className={buttonClass('primary', 'md', 'signed-out:hidden')}>
                Write First Review
              </Link>
            }
          >
            Be the first to share your experience with {name}
          </EmptyState>
        ) : (
          <ul>
            {reviews.map((review) => (
              <li key={review.id}>
                <ReviewCard review={review} isExpanded />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

/** To the reviews for whoever came from there; else to the directory. */
function BackLink() {
  const { state } = useLocation();
  // The server knows nothing of where one came from.
  const cameFromReviews = useHydrated() && state?.from === paths.reviews();
  return (
    <Link
      to={cameFromReviews ? paths.reviews() : paths.employers()}
      className="mt-6 -mb-8 inline-flex min-h-11 items-center gap-2 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {cameFromReviews ? 'All reviews' : 'All employers'}
    </Link>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <NotFoundScreen title={EMPLOYER_MESSAGES.notFound}>
        It may have been removed, or merged with another.
      </NotFoundScreen>
    );
  }
  return (
    <div className="page-width pt-16">
      <Banner tone="error">{EMPLOYER_MESSAGES.detailFailed}</Banner>
    </div>
  );
}
