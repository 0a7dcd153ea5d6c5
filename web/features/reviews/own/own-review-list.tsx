import { Eye, PenLine, Trash2 } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { titleCase } from '#contract/names.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';

interface OwnReviewListProps {
  reviews: readonly OwnReview[];
  onDelete: (reviewId: string) => void;
  firstRef?: Ref<HTMLLIElement>;
}

/** One's own reviews, open, with what can be done about each. */
export function OwnReviewList({ reviews, onDelete, firstRef }: OwnReviewListProps) {
  return (
    <ul>
      {reviews.map((review, place) => (
        <li key={review.id} ref={place === 0 ? firstRef : null} className="scroll-mt-32">
          {review.removed_reason !== null && <RemovedNotice reason={review.removed_reason} />}
          <ReviewCard review={review} isExpanded actions={<Actions {...{ review, onDelete }} />} />
        </li>
      ))}
    </ul>
  );
}

/** What a moderator decided reaches the author here, and nowhere else. */
function RemovedNotice({ reason }: { reason: string }) {
  return (
    <Banner tone="info" className="mt-6 mb-6">
      <p className="font-semibold">Removed by a moderator: only you can see this review.</p>
      <p>Reason: {reason}</p>
    </Banner>
  );
}

function Actions({ review, onDelete }: { review: OwnReview; onDelete: (id: string) => void }) {
  // One that a moderator removed can be deleted, and no more (`review_removed`).
  const isPublished = review.removed_reason === null;
  const about = <span className="sr-only"> review of {titleCase(review.employer.name)}</span>;
  return (
    <div className="-ml-3 flex flex-wrap gap-x-1">
      {isPublished && (
        <Action to={paths.editReview(review.id)}>
          <PenLine aria-hidden className="size-4" />
          <span>Edit{about}</span>
        </Action>
      )}
      <Button variant="quiet" size="sm" onClick={() => onDelete(review.id)}>
        <Trash2 aria-hidden className="size-4" />
        <span>Delete{about}</span>
      </Button>
      {isPublished && (
        <Action to={paths.review(review.id)}>
          <Eye aria-hidden className="size-4" />
          <span>View{about}</span>
        </Action>
      )}
    </div>
  );
}

const Action = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className={buttonClass('quiet', 'sm')}>
    {children}
  </Link>
);
