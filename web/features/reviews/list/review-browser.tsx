import { PenLine } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { REVIEWS_URL_SYNC_MS } from '#contract/limits.ts';
import type { Review } from '#contract/reviews.ts';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { PrintedFrom } from '#web/lib/printed-from.tsx';
import { useStore } from '#web/lib/store.ts';
import { withSpecialty } from '#web/listing/criteria.ts';
import { useKeepOnLeave, useMorePages } from '#web/listing/kept-lists.ts';
import { createPages } from '#web/listing/pages.ts';
import { useListForm } from '#web/listing/use-list-form.ts';
import { MemberLink } from '#web/shell/session.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FilterForm } from './filter-form.tsx';
import { createFilterOptions } from './filter-options.ts';
import {
  fetchReviews,
  pacedRequest,
  type ReviewList,
  requestReviews,
  reviewListing,
} from './review-listing.ts';
import { ReviewResults } from './review-results.tsx';

/** The list of reviews and its form (docs/product/reviews.md, "Public review list"). */
export function ReviewBrowser({ list, belowForm }: { list: ReviewList; belowForm: ReactNode }) {
  const { criteria, page, answer } = list;
  const [pages] = useState(() => createPages<Review>(answer));
  const [newlyOpened] = useState(() => new Set<string>());
  const state = useStore(pages, (current) => current);
  const options = useFilterOptions(list, state.count);
  const opened = list.opened ?? newlyOpened;
  const form = useListForm(reviewListing, criteria, {
    typingPauseMs: REVIEWS_URL_SYNC_MS,
    choicePauseMs: REVIEWS_URL_SYNC_MS,
    isReplacing: true,
    onChange: pacedRequest.noteChange,
  });

  const isPastTheEnd = state.items.length === 0 && state.count !== null && state.count > 0;

  // The order matters: the old list is kept before the next one replaces it.
  useKeepOnLeave(() => {
    const { pages: loaded, failure, isLoading } = pages.get();
    const settled = { pages: loaded, failure };
    const kept: ReviewList = { criteria, page, answer: settled, refreshesOptions: false, opened };
    return isLoading ? null : kept;
  });
  useLayoutEffect(() => pages.follow(answer, pacedRequest.started()), [pages, answer]);

  const onLoadMore = useMorePages(
    () => pages.loadMore((loaded) => fetchReviews(criteria, page + loaded)),
    () => pages.get().pages.length,
  );

  return (
    <div className="page-width">
      <PageHeading
        title={withSpecialty('Reviews by practitioners', criteria)}
        subtitle={<Count count={state.count} />}
        action={
          <MemberLink to={paths.createReview()} className={buttonClass()}>
            <PenLine aria-hidden className="size-4" />
            Write a review
          </MemberLink>
        }
      />
      <PrintedFrom />
      <FilterForm
        form={form}
        options={options}
        state={state}
        onSubmit={() => {
          form.submit();
          pacedRequest.hurry();
        }}
      />
      {belowForm}
      {page > 1 && (
        <p className="pb-4 text-sm text-ink-soft">
          <span>{isPastTheEnd ? `There is no page ${page}.` : `Starting from page ${page}.`}</span>{' '}
          <Link to={paths.reviews(criteria)} reloadDocument className="prose-link">
            Go to the first page
          </Link>
        </p>
      )}
      <ReviewResults
        form={form}
        state={state}
        opened={opened}
        nextPath={paths.reviews({ ...criteria, page: page + state.pages.length })}
        onLoadMore={onLoadMore}
        onRetry={() => pages.follow(requestReviews(criteria, page))}
      />
    </div>
  );
}

/** Loads the options when the page opens, and again if the URL says so or the count rises. */
function useFilterOptions({ criteria, refreshesOptions }: ReviewList, count: number | null) {
  const [options] = useState(() => createFilterOptions());
  const navigate = useNavigate();

  useEffect(() => {
    if (refreshesOptions || options.get() === null) void options.load();
  }, [options, refreshesOptions]);

  useEffect(() => {
    if (count !== null) options.noteCount(count);
  }, [options, count]);

  // Removes the parameter from the URL, so that it takes effect only once.
  useEffect(() => {
    if (!refreshesOptions) return;
    const timer = setTimeout(() => {
      void navigate(paths.reviews(criteria), { replace: true });
    }, REVIEWS_URL_SYNC_MS);
    return () => clearTimeout(timer);
  }, [refreshesOptions, criteria, navigate]);

  return useStore(options, (current) => current);
}

function Count({ count }: { count: number | null }) {
  return (
    <span role="status">
      {count === null ? <Skeleton className="my-1.5 h-4 w-28" /> : plural(count, 'review')}
    </span>
  );
}
