import { PenLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { data, isRouteErrorResponse, Link, redirect } from 'react-router';
import { EMPLOYER_MESSAGES } from '#contract/employer-choices.ts';
import type { MergedEmployer } from '#contract/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { BackLink } from '#web/features/employers/back-link.tsx';
import { CompareToggle, CompareTray } from '#web/features/employers/compare/compare-tray.tsx';
import { EmployerOverview } from '#web/features/employers/employer-overview.tsx';
import { EmployerRatings } from '#web/features/employers/employer-ratings.tsx';
import { EmployerReviews } from '#web/features/employers/employer-reviews.tsx';
import { employerReviewListing, ReviewFilters } from '#web/features/employers/review-filters.tsx';
import { SpecialtyRatings } from '#web/features/employers/specialty-ratings.tsx';
import { feedbackWrites } from '#web/features/reviews/feedback/feedback.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { SaveEmployer } from '#web/features/saved/save-toggle.tsx';
import { formatCount, formatLocation } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { askApi, readAnswer } from '#web/lib/server-api.ts';
import { pageNumber } from '#web/listing/criteria.ts';
import { NotFoundScreen } from '#web/shell/error-screens.tsx';
import { MemberLink } from '#web/shell/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/employer.ts';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const id = params.employerId;
  // The API rejects a malformed id with 400. For a reader, it is a dead link.
  if (!/^\d+$/.test(id)) throw data(null, { status: 404 });
  const criteria = employerReviewListing(id).read(request.url);
  const page = pageNumber(request.url);
  const [found, insights, reviews] = await Promise.all([
    askApi(context, employerEndpoints.read, { params: { id } }),
    askApi(context, employerEndpoints.insights, {
      params: { id },
      query: { specialty: criteria['specialty'] },
    }),
    askApi(context, employerEndpoints.reviews, { params: { id }, query: { ...criteria, page } }),
  ]);
  if (found.status === 301) {
    const { merged_into } = (await found.json()) as unknown as MergedEmployer;
    throw redirect(paths.employer(merged_into), 301);
  }
  // An id out of range.
  if (found.status === 400) throw data(null, { status: 404 });
  const employer = await readAnswer(found);
  return {
    employer,
    // Optional: the page works without these.
    insights: insights.ok ? await insights.json() : null,
    reviews: reviews.ok ? await reviews.json() : null,
    criteria,
    page,
  };
}

export const clientAction = feedbackWrites.clientAction;

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return pageMeta(EMPLOYER_MESSAGES.notFound);
  const { employer, criteria } = loaderData;
  const name = titleCase(employer.name);
  // Many hospitals share a name.
  const place = formatLocation(employer);
  const suffix = place && `, ${place}`;
  const specialty = criteria['specialty'];
  return pageMeta(
    `${name} reviews${suffix}${specialty ? `: ${specialty}` : ''}`,
    `What doctors say about working at ${name}${suffix}: anonymous ratings and reviews.`,
  );
}

export default function EmployerDetail({ loaderData }: Route.ComponentProps) {
  const { employer, insights, criteria } = loaderData;
  const createPath = paths.createReview({ employer: employer.id });
  return (
    <div className="page-width">
      <BackLink />
      <PageHeading
        title={titleCase(employer.name)}
        subtitle={employer.employer_type_display}
        action={
          <div className="flex flex-wrap items-center gap-3">
            <SaveEmployer employer={employer} />
            <CompareToggle employer={employer} specialty={criteria['specialty']} />
            <MemberLink to={createPath} className={buttonClass('primary', 'md', 'max-md:hidden')}>
              <PenLine aria-hidden className="size-4" />
              Write a review
            </MemberLink>
          </div>
        }
      />
      <EmployerOverview employer={employer} />
      <EmployerRatings employer={employer} insights={insights} />
      <section aria-labelledby="reviews" className="mt-6">
        <h2 id="reviews" className="pb-4 font-display text-2xl lining-nums">
          Reviews ({formatCount(employer.total_reviews)})
        </h2>
        <Reviews {...loaderData} createPath={createPath} />
      </section>
      <CompareTray specialty={criteria['specialty']} />
    </div>
  );
}

function Reviews({
  employer,
  insights,
  reviews,
  criteria,
  page,
  createPath,
}: Route.ComponentProps['loaderData'] & { createPath: string }): ReactNode {
  if (employer.total_reviews === 0) {
    return (
      <EmptyState
        title="No reviews yet"
        action={
          <Link to={createPath} className={buttonClass('primary', 'md', 'signed-out:hidden')}>
            Write First Review
          </Link>
        }
      >
        Be the first to share your experience with {titleCase(employer.name)}
      </EmptyState>
    );
  }
  return (
    <>
      <ReviewFilters
        employerId={employer.id}
        criteria={criteria}
        positions={insights?.position_titles ?? []}
        specialties={insights?.specialties ?? []}
      />
      {insights?.subgroup && <SpecialtyRatings subgroup={insights.subgroup} />}
      {reviews ? (
        <EmployerReviews
          key={paths.employer(employer.id, { ...criteria, page })}
          employerId={employer.id}
          first={reviews}
          page={page}
          criteria={criteria}
          card={(review) => <ReviewCard review={review} isExpanded />}
        />
      ) : (
        <Banner tone="error">Failed to load reviews: Unknown error</Banner>
      )}
    </>
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
