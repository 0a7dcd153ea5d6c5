import { PenLine } from 'lucide-react';
import { useLocation } from 'react-router';
import type { Page } from '#contract/paging.ts';
import type { Problem } from '#contract/problem.ts';
import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import type { Review } from '#contract/reviews.ts';
import { ReviewPages } from '#web/features/reviews/review-pages.tsx';
import { plural } from '#web/lib/format.ts';
import { listQuery, pageNumber } from '#web/lib/list-query.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { apiPaths, paths, withQuery } from '#web/lib/paths.ts';
import { loadFromApi } from '#web/lib/server-api.ts';
import { ListSearch } from '#web/shell/list-search.tsx';
import { MemberLink } from '#web/shell/session-link.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/reviews.ts';

/** Specification, section 2, "Reviews list": the address mirrors the filters. */
const FILTERS = [
  'search',
  'position_title',
  'state',
  'city',
  'min_rating',
  'would_recommend',
  'is_current_employee',
  'ordering',
];

export const meta = () =>
  pageMeta(
    'Reviews by practitioners',
    'Anonymous reviews of hospitals, residencies, fellowships and clinics by NPI-verified US physicians.',
  );

export async function loader({ context, request }: Route.LoaderArgs) {
  const query = listQuery(request.url, FILTERS);
  const page = pageNumber(request.url);
  const first = await loadFromApi<Page<Review>>(context, apiPaths.reviews({ ...query, page }));
  return { first, page, query };
}

export default function Reviews({ loaderData }: Route.ComponentProps) {
  const { first, page, query } = loaderData;
  const { search, ordering } = query;
  return (
    <div className="page-width">
      <PageHeading
        title="Reviews by practitioners"
        subtitle={plural(first.count, 'review')}
        action={
          <MemberLink to={paths.createReview()} className={buttonClass()}>
            <PenLine aria-hidden className="size-4" />
            Write a review
          </MemberLink>
        }
      />
      <div className="py-6">
        <ListSearch
          key={useLocation().search}
          action={paths.reviews()}
          search={String(search ?? '')}
          placeholder="Employer, position, or words in a review"
          ordering={String(ordering ?? '-created_at')}
          orderings={REVIEW_ORDERINGS}
        />
      </div>
      <ReviewPages
        key={withQuery('', { ...query, page })}
        first={first}
        page={page}
        query={query}
      />
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const problem = (error as { data?: Problem | null } | null)?.data;
  return (
    <div className="page-width">
      <PageHeading title="Reviews by practitioners" />
      <Banner tone="error" className="mt-6">
        Failed to load reviews: {problem?.detail ?? 'Unknown error'}
      </Banner>
    </div>
  );
}
