import { memo } from 'react';
import type { Review } from '#contract/reviews/reviews.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';
import { useFindOnReturn } from '#web/lib/after-sign-in.ts';
import { paths } from '#web/lib/paths.ts';
import { CriteriaLink } from '#web/listing/chosen-filters.tsx';
import { PagedList, type PagesState } from '#web/listing/pages.tsx';
import { ClosestNote } from '#web/listing/search-line.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { AddEmployer } from '#web/shell/member-link.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/loading.tsx';

export const LIST_HEADING_ID = 'reviews-heading';

interface ReviewResultsProps {
  form: ListForm;
  state: PagesState<Review>;
  opened: Set<string>;
  nextPath: string;
  onLoadMore: () => Promise<string | null>;
  onRetry: () => void;
}

export function ReviewResults(props: ReviewResultsProps) {
  const { form, state, opened, nextPath, onLoadMore, onRetry } = props;
  useFindOnReturn(state.items, state.isLoading);
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
      {/* Takes up space immediately, but is visible only if loading is slow. */}
      {state.isLoading && state.count === null && (
        <div className={cx(!state.isSlow && 'invisible')}>
          <ReviewSkeletons />
        </div>
      )}
      {state.count === 0 && !state.failure && <Empty form={form} />}
      {state.pages[0]?.is_closest && <ClosestNote />}
      <PagedList
        state={state}
        nextPath={nextPath}
        onLoadMore={onLoadMore}
        className={cx('transition-opacity', state.isLoading && state.isSlow && 'opacity-50')}
      >
        {(review) => <Card review={review} from={paths.reviews()} opened={opened} />}
      </PagedList>
    </section>
  );
}

/** Memoized, because the form's state changes often and a list may have hundreds of reviews. */
const Card = memo(ReviewCard);

function Empty({ form }: { form: ListForm }) {
  if (!form.listing.isNarrowed(form.values)) {
    return <EmptyState title="No reviews yet">Be the first to write one.</EmptyState>;
  }
  return (
    <EmptyState
      title="No reviews found"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <CriteriaLink
            form={form}
            to={{}}
            headingId={LIST_HEADING_ID}
            className={buttonClass('secondary')}
          >
            Clear search and filters
          </CriteriaLink>
          <AddEmployer name={form.values.search} />
        </div>
      }
    >
      Try fewer words, another spelling, or fewer filters.
    </EmptyState>
  );
}

/** As tall as short reviews, so that the layout does not shift. */
function ReviewSkeletons() {
  return [1, 2, 3].map((place) => (
    <div
      key={place}
      className="grid gap-x-12 gap-y-4 border-t border-rule py-8 md:grid-cols-[13rem_1fr]"
    >
      <div className="flex flex-col gap-2">
        <Skeleton className="h-6 w-32" />
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-24" />
      </div>
      <div className="flex flex-col gap-3">
        <Skeleton className="h-7 w-72 max-w-full" />
        <Skeleton className="h-4 w-full max-w-[42rem]" />
        <Skeleton className="h-4 w-full max-w-[42rem]" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </div>
  ));
}
