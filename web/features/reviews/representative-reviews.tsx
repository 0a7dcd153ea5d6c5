import { EMPLOYER_REVIEWS_PAGE_SIZE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Representative } from '#contract/replies/representatives.ts';
import type { RemovedReply } from '#contract/reviews/review-replies.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { type PageLink, Pagination } from '#web/ui/pagination.tsx';
import { ReplyActions } from './replies/reply-form.tsx';
import { ReviewCard } from './review-card.tsx';

interface RepresentativeReviewsProps {
  own: Representative;
  reviews: { count: number; results: readonly Review[] };
  removed: readonly RemovedReply[];
  page: number;
}

/** The public reviews of the employer, each with its reply. */
export function RepresentativeReviews(props: RepresentativeReviewsProps) {
  const { own, reviews, removed, page } = props;
  const byReview = new Map(removed.map((reply) => [reply.review_id, reply]));
  const name = titleCase(own.employer.name);
  const link: PageLink = ({ page: target, ...rest }) => (
    <Link {...rest} to={paths.represent({ page: target === 1 ? null : target })} />
  );
  return (
    <div className="page-width">
      <PageHeading
        title={name}
        subtitle={`Your work title: ${own.work_title}. Replies do not show your name.`}
        action={
          <Link to={paths.employer(own.employer.id)} className={buttonClass('secondary')}>
            Public page
          </Link>
        }
      />
      <section aria-labelledby="reviews" className="mt-6">
        <h2 id="reviews" className="pb-4 font-display text-2xl lining-nums">
          {plural(reviews.count, 'review')}
        </h2>
        {reviews.results.length === 0 && (
          <EmptyState title="No reviews yet">There is nothing to reply to.</EmptyState>
        )}
        {reviews.results.map((review) => (
          <ReviewCard
            key={review.id}
            review={review}
            isExpanded
            leadsWithPosition
            actions={<ReplyActions review={review} removed={byReview.get(review.id)} />}
          />
        ))}
        <Pagination
          current={page}
          pages={Math.ceil(reviews.count / EMPLOYER_REVIEWS_PAGE_SIZE)}
          link={link}
        />
      </section>
    </div>
  );
}
