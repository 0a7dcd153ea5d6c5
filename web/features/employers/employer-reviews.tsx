import { type ReactNode, useState } from 'react';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { useStore } from '#web/lib/store.ts';
import { useFindOnReturn } from '#web/lib/vote-on-return.ts';
import type { Criteria } from '#web/listing/criteria.ts';
import { PagedList } from '#web/listing/paged-list.tsx';
import { createPages } from '#web/listing/pages.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';

interface EmployerReviewsProps {
  employerId: number;
  first: Page<Review>;
  /** The number of the first page. */
  page: number;
  criteria: Criteria;
  card: (review: Review) => ReactNode;
}

/** The reviews of one employer. Its `key` must change with the criteria. */
export function EmployerReviews({ employerId, first, page, criteria, card }: EmployerReviewsProps) {
  const [pages] = useState(() => createPages<Review>({ pages: [first], failure: null }));
  const state = useStore(pages, (current) => current);
  useFindOnReturn(state.items, state.isLoading);
  const next = { ...criteria, page: page + state.pages.length };
  const backToFirst = page > 1 && (
    <a href={paths.employer(employerId, criteria)} className="prose-link mb-4 inline-block text-sm">
      Back to the first reviews
    </a>
  );
  if (state.items.length === 0 && page > 1) {
    return <EmptyState title={`There is no page ${page}.`} action={backToFirst} />;
  }
  if (state.items.length === 0) {
    return (
      <EmptyState title="No reviews found">
        {criteria['specialty']
          ? 'No reviews for this specialty yet.'
          : 'No reviews for this position yet.'}
      </EmptyState>
    );
  }
  return (
    <>
      {backToFirst}
      <PagedList
        state={state}
        nextPath={paths.employer(employerId, next)}
        onLoadMore={() =>
          pages.loadMore(() =>
            api.call(employerEndpoints.reviews, { params: { id: employerId }, query: next }),
          )
        }
      >
        {card}
      </PagedList>
    </>
  );
}
