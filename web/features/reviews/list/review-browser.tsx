import { PenLine } from 'lucide-react';
import { Link } from 'react-router';
import { plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { MemberLink } from '#web/shell/session-link.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FilterForm } from './filter-form.tsx';
import { tidy } from './filters.ts';
import type { ListStart } from './review-list.ts';
import { ReviewResults } from './review-results.tsx';
import { useReviewList } from './use-review-list.ts';

/** The reviews list (specification, section 2): its form, and what that finds. */
export function ReviewBrowser({ start }: { start: ListStart }) {
  const { list, state } = useReviewList(start);
  return (
    <div className="page-width">
      <PageHeading
        title="Reviews by practitioners"
        subtitle={<Count count={state.count} />}
        action={
          <MemberLink to={paths.createReview()} className={buttonClass()}>
            <PenLine aria-hidden className="size-4" />
            Write a review
          </MemberLink>
        }
      />
      <FilterForm state={state} onChange={list.change} onSubmit={list.submit} />
      {state.firstPage > 1 && (
        <p className="pb-4 text-sm text-ink-soft">
          From page {state.firstPage}.{' '}
          <Link to={paths.reviews(tidy(state.filters))} reloadDocument className="prose-link">
            Go to the first page
          </Link>
        </p>
      )}
      <ReviewResults
        state={state}
        opened={list.opened}
        onLoadMore={list.loadMore}
        onRetry={() => void list.retry()}
        onChange={list.change}
      />
    </div>
  );
}

function Count({ count }: { count: number | null }) {
  return (
    <span role="status">
      {count === null ? <Skeleton className="my-1.5 h-4 w-28" /> : plural(count, 'review')}
    </span>
  );
}
