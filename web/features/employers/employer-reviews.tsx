import { type ReactNode, useState } from 'react';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { apiPaths, paths, type Query } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

interface EmployerReviewsProps {
  employerId: number;
  first: Page<Review>;
  /** The page that `first` is. */
  page: number;
  /** The position and the order, as they stand in the address. */
  query: Query;
  card: (review: Review) => ReactNode;
}

/**
 * The reviews of one employer, page after page: 'Load more' is a link to the next one, which with
 * script is appended instead. Give it the query as `key`, so that another begins another list.
 */
export function EmployerReviews({ employerId, first, page, query, card }: EmployerReviewsProps) {
  const [more, setMore] = useState<Page<Review>[]>([]);
  const [state, setState] = useState<'idle' | 'loading' | ApiError>('idle');
  const pages = [first, ...more];
  // A review written meanwhile moves the last of a page onto the next one.
  const reviews = new Map(
    pages.flatMap(({ results }) => results.map((review) => [review.id, review] as const)),
  );
  const nextQuery = { ...query, page: page + pages.length };

  async function loadMore() {
    setState('loading');
    try {
      const next = await api.get<Page<Review>>(apiPaths.employerReviews(employerId, nextQuery));
      setMore([...more, next]);
      setState('idle');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState(error);
    }
  }

  if (reviews.size === 0) {
    return <EmptyState title="No reviews found">No review is from this position.</EmptyState>;
  }
  return (
    <>
      {page > 1 && (
        <a
          href={paths.employer(employerId, query)}
          className="prose-link mb-4 inline-block text-sm"
        >
          Back to the first reviews
        </a>
      )}
      <ul>
        {[...reviews.values()].map((review) => (
          <li key={review.id}>{card(review)}</li>
        ))}
      </ul>
      {state instanceof ApiError && (
        <Banner tone="error">Failed to load reviews: {state.message}</Banner>
      )}
      {pages.at(-1)?.next && (
        <div className="border-t border-rule pt-8 text-center">
          <a
            href={paths.employer(employerId, nextQuery)}
            aria-busy={state === 'loading' || undefined}
            onClick={(event) => {
              event.preventDefault();
              if (state !== 'loading') void loadMore();
            }}
            className={buttonClass('secondary')}
          >
            {state === 'loading' && <Spinner />}
            {state === 'loading' ? 'Loading...' : 'Load more reviews'}
          </a>
        </div>
      )}
    </>
  );
}
