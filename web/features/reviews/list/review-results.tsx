import { memo, type RefObject, useRef } from 'react';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ReviewCard } from '../review-card.tsx';
import { ReviewSkeletons } from '../review-skeleton.tsx';
import { FilterLink, LIST_HEADING_ID } from './chosen-filters.tsx';
import { type Filters, isNarrowed, tidy } from './filters.ts';
import type { ListState } from './review-list.ts';

interface ReviewResultsProps {
  state: ListState;
  /** See ReviewCard. */
  opened: Set<string>;
  onLoadMore: () => Promise<string | null>;
  onRetry: () => void;
  onChange: (filters: Filters) => void;
}

export function ReviewResults(props: ReviewResultsProps) {
  const { state, onRetry, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  return (
    <section aria-labelledby={LIST_HEADING_ID} aria-busy={state.isLoading}>
      <h2 id={LIST_HEADING_ID} tabIndex={-1} className="sr-only">
        Reviews
      </h2>
      {state.failure && (
        <Banner tone="error">
          <p>{state.failure}</p>
          <Button variant="secondary" size="sm" onClick={onRetry} className="mt-3">
            Try again
          </Button>
        </Banner>
      )}
      {/* Its place is held at once; it is seen only where loading takes long. */}
      {state.isLoading && state.count === null && (
        <div className={cx(!state.isSlow && 'invisible')}>
          <ReviewSkeletons />
        </div>
      )}
      {state.count !== null && state.reviews.length === 0 && !state.failure && (
        <Empty filters={state.filters} onChange={onChange} />
      )}
      <Cards state={state} opened={props.opened} list={list} />
      {state.hasMore && <LoadMore {...props} list={list} />}
    </section>
  );
}

/** The form's state changes often, and a list may have hundreds of reviews. */
const Card = memo(ReviewCard);

interface CardsProps extends Pick<ReviewResultsProps, 'state' | 'opened'> {
  list: RefObject<HTMLUListElement | null>;
}

function Cards({ state, opened, list }: CardsProps) {
  if (state.reviews.length === 0) return null;
  return (
    <ul
      ref={list}
      className={cx('transition-opacity', state.isLoading && state.isSlow && 'opacity-50')}
    >
      {state.reviews.map((review) => (
        <li key={review.id} data-review={review.id} tabIndex={-1} className="outline-none">
          <Card review={review} from={paths.reviews()} opened={opened} />
        </li>
      ))}
    </ul>
  );
}

function Empty({ filters, onChange }: Pick<ReviewResultsProps, 'onChange'> & { filters: Filters }) {
  if (!isNarrowed(filters)) {
    return <EmptyState title="No reviews yet">Be the first to write one.</EmptyState>;
  }
  return (
    <EmptyState
      title="No reviews found"
      action={
        <FilterLink to={{}} onChange={onChange} className={buttonClass('secondary')}>
          Clear search and filters
        </FilterLink>
      }
    >
      Try fewer words, another spelling, or fewer filters.
    </EmptyState>
  );
}

/** A link to the next page, which with script appends that page instead. */
function LoadMore({
  state,
  onLoadMore,
  list,
}: ReviewResultsProps & { list: RefObject<HTMLUListElement | null> }) {
  const { isLoadingMore, moreFailure, filters, lastPage } = state;

  async function append() {
    const first = await onLoadMore();
    // The reader goes on where the list went on.
    list.current
      ?.querySelector<HTMLElement>(`[data-review="${first}"]`)
      ?.focus({ preventScroll: true });
  }

  return (
    <div className="border-t border-rule pt-8">
      {moreFailure && (
        <Banner tone="error" className="mb-6">
          {moreFailure}
        </Banner>
      )}
      <p className="text-center">
        <a
          href={paths.reviews({ ...tidy(filters), page: lastPage + 1 })}
          aria-busy={isLoadingMore || undefined}
          onClick={(event) => {
            event.preventDefault();
            void append();
          }}
          className={buttonClass('secondary')}
        >
          {isLoadingMore && <Spinner />}
          {isLoadingMore ? 'Loading...' : 'Load more reviews'}
        </a>
      </p>
    </div>
  );
}
