import { PenLine } from 'lucide-react';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { OwnReviewList } from '#web/features/reviews/own/own-review-list.tsx';
import {
  canWrite,
  loadOwnReviews,
  NoReviews,
  OwnReviewsOrWhy,
  ownReviewWrites,
  StatisticsLine,
  statisticsOf,
  useReviewDialog,
} from '#web/features/reviews/own/own-reviews.tsx';
import { requireUser } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/my-reviews.ts';

export const meta = () => pageMeta('My Reviews');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadOwnReviews(await requireUser(request, 'isVerifiedDoctor'));
}

export const clientAction = ownReviewWrites.clientAction;

export default function MyReviews({ loaderData: answer }: Route.ComponentProps) {
  return (
    <div className="page-width">
      <PageHeading
        title="My Reviews"
        subtitle="Everything you have written, and what it adds up to."
        action={
          canWrite(answer) && (
            <Link to={paths.reviewsCreate()} className={buttonClass()}>
              <PenLine aria-hidden className="size-4" />
              Write a review
            </Link>
          )
        }
      />
      <div className="pt-8">
        <OwnReviewsOrWhy answer={answer} path={paths.myReviews()}>
          {(reviews) => <Reviews reviews={reviews} />}
        </OwnReviewsOrWhy>
      </div>
    </div>
  );
}

function Reviews({ reviews }: { reviews: readonly OwnReview[] }) {
  const { ask, dialog, heading, result } = useReviewDialog();
  return (
    <>
      {dialog}
      <StatisticsLine statistics={statisticsOf(reviews)} />
      <h2 ref={heading} tabIndex={-1} className="pt-10 pb-4 font-display text-2xl">
        Your reviews
      </h2>
      {result}
      {reviews.length === 0 ? <NoReviews /> : <OwnReviewList reviews={reviews} onAsk={ask} />}
    </>
  );
}
