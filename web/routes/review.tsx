import { data, isRouteErrorResponse } from 'react-router';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { titleCase } from '#contract/names.ts';
import { Review } from '#contract/reviews/reviews.ts';
import { feedbackWrites } from '#web/features/reviews/feedback/feedback.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { formatLocation } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { PrintedFrom } from '#web/lib/printed-from.tsx';
import { askApi, readAnswer } from '#web/lib/render-context.ts';
import { useSession } from '#web/lib/session.ts';
import { NotFoundScreen, UnexpectedErrorScreen } from '#web/shell/error-screens.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/review.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  // The API rejects a malformed id with 400. For a reader, it is a dead link.
  if (!Review.shape.id.safeParse(params.reviewId).success) throw data(null, { status: 404 });
  return readAnswer(
    await askApi(context, reviewEndpoints.read, { params: { id: params.reviewId } }),
  );
}

export const clientAction = feedbackWrites.clientAction;

export function meta({ loaderData: review }: Route.MetaArgs) {
  if (!review) return pageMeta('Review not found');
  const name = titleCase(review.employer.name);
  const position = titleCase(review.position_title);
  return pageMeta(
    `${position} at ${name}: a review`,
    `${review.overall_rating} out of 5 stars from a verified ${position}: ${shortened(review.review_text)}`,
  );
}

const DESCRIPTION_MAX = 150;

const shortened = (text: string) =>
  text.length > DESCRIPTION_MAX ? `${text.slice(0, DESCRIPTION_MAX).trimEnd()}…` : text;

export default function SharedReview({ loaderData: review }: Route.ComponentProps) {
  const name = titleCase(review.employer.name);
  const { user } = useSession();
  return (
    <div className="page-width">
      <PageHeading
        title={`A review of ${name}`}
        subtitle={['By a verified doctor', formatLocation(review.employer)]
          .filter(Boolean)
          .join(' · ')}
      />
      <PrintedFrom />
      <h2 className="sr-only">The review</h2>
      <div className="pt-4">
        <ReviewCard review={review} isExpanded />
      </div>
      <div className="flex flex-wrap gap-3 border-t border-rule pt-8">
        {user?.roles.includes('moderator') && (
          <Link to={paths.adminReview(review.id)} className={buttonClass('secondary')}>
            Open in the office
          </Link>
        )}
        <Link
          to={paths.employer(review.employer.id)}
          className={buttonClass('primary', 'md', 'max-w-full py-2 wrap-anywhere')}
        >
          More about {name}
        </Link>
        <Link to={paths.reviews()} className={buttonClass('secondary')}>
          Browse reviews
        </Link>
      </div>
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <NotFoundScreen title="Review not found">
        Its author may have deleted it, or it may have been removed.
      </NotFoundScreen>
    );
  }
  return <UnexpectedErrorScreen error={error} />;
}
