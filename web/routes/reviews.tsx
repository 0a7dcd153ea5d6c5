import { data, type ShouldRevalidateFunctionArgs } from 'react-router';
import type { Page } from '#contract/paging.ts';
import type { Problem } from '#contract/problem.ts';
import type { Review } from '#contract/reviews.ts';
import { readFilters } from '#web/features/reviews/list/filters.ts';
import { isShown } from '#web/features/reviews/list/kept-lists.ts';
import { ReviewBrowser } from '#web/features/reviews/list/review-browser.tsx';
import { type ListStart, listFailure } from '#web/features/reviews/list/review-list.ts';
import { pageNumber } from '#web/lib/list-query.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { askApi } from '#web/lib/server-api.ts';
import type { Route } from './+types/reviews.ts';

export const meta = () =>
  pageMeta(
    'Reviews by practitioners',
    'Anonymous reviews of hospitals, residencies, fellowships and clinics by verified US physicians.',
  );

function startOf(address: string): ListStart {
  const url = new URL(address);
  return {
    filters: readFilters(url),
    page: pageNumber(address),
    first: null,
    failure: null,
    refreshesOptions: wantsOptions(url),
  };
}

const wantsOptions = (url: URL) => url.searchParams.get('refreshFilters') === 'true';

/** The first page is in the document, for those who have no script and those who only read. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const start = startOf(request.url);
  const path = apiPaths.reviews({ ...start.filters, page: start.page });
  const response = await askApi(context, path);
  if (response.ok) return data({ ...start, first: (await response.json()) as Page<Review> });
  const failure = listFailure((await response.json()) as Problem);
  return data({ ...start, failure }, { status: response.status });
}

/** Within the site the list fetches for itself, by the timings of the specification, section 4. */
export function clientLoader({ request }: Route.ClientLoaderArgs): ListStart {
  return startOf(request.url);
}

/** The list leads and the address follows; any other change of address asks for another list. */
export function shouldRevalidate({ nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return wantsOptions(nextUrl) || !isShown(readFilters(nextUrl));
}

export default function Reviews({ loaderData }: Route.ComponentProps) {
  return <ReviewBrowser start={loaderData} />;
}
