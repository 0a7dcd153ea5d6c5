import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function NoReviews() {
  return (
    <EmptyState
      title="No reviews yet"
      action={
        <Link to={paths.reviewsCreate()} className={buttonClass()}>
          Write a review
        </Link>
      }
    >
      What you write stays anonymous, and you can change or delete it here.
    </EmptyState>
  );
}
