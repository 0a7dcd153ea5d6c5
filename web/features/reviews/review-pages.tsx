import { useState } from 'react';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { apiPaths, paths, type Query } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ReviewCard } from './review-card.tsx';

interface ReviewPagesProps {
  first: Page<Review>;
  /** The page that `first` is. */
  page: number;
  /** The filters and the order, as they stand in the address. */
  query: Query;
}

/**
 * The list and 'Load more': a link to the next page, which with script appends that page instead.
 * Give it the query as `key`, so that another query starts another list.
 */
export function ReviewPages({ first, page, query }: ReviewPagesProps) {
  const [more, setMore] = useState<Page<Review>[]>([]);
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const pages = [first, ...more];
  const hasMore = pages.at(-1)?.next !== null;
  const nextQuery = { ...query, page: page + pages.length };

  async function loadMore() {
    setLoading(true);
    setFailure(null);
    try {
      const next = await api.get<Page<Review>>(apiPaths.reviews(nextQuery));
      setMore([...more, next]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(`Failed to load reviews: ${error.message}`);
    } finally {
      setLoading(false);
    }
  }

  if (first.results.length === 0) {
    return <EmptyState title="No reviews found">Try fewer words, or another spelling.</EmptyState>;
  }
  return (
    <>
      <h2 className="sr-only">Reviews</h2>
      <ul>
        {pages.flatMap(({ results }) =>
          results.map((review) => (
            <li key={review.id}>
              <ReviewCard review={review} from={paths.reviews()} />
            </li>
          )),
        )}
      </ul>
      {failure && <Banner tone="error">{failure}</Banner>}
      {hasMore && (
        <div className="border-t border-rule pt-8 text-center">
          <a
            href={paths.reviews(nextQuery)}
            aria-busy={isLoading || undefined}
            onClick={(event) => {
              event.preventDefault();
              if (!isLoading) void loadMore();
            }}
            className={buttonClass('secondary')}
          >
            {isLoading && <Spinner />}
            {isLoading ? 'Loading...' : 'Load more reviews'}
          </a>
        </div>
      )}
    </>
  );
}
