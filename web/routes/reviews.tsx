import { data, type ShouldRevalidateFunctionArgs } from 'react-router';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { searchLabels } from '#contract/saved/saved-address.ts';
import { feedbackWrites } from '#web/features/reviews/feedback/feedback.ts';
import { ReviewBrowser } from '#web/features/reviews/list/review-browser.tsx';
import {
  type ReviewList,
  requestReviews,
  reviewListing,
} from '#web/features/reviews/list/review-listing.ts';
import { SaveSearch } from '#web/features/saved/saved.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber } from '#web/lib/paths.ts';
import { askApi } from '#web/lib/render-context.ts';
import { takeKeptList } from '#web/listing/kept-lists.ts';
import { type Answer, listFailure } from '#web/listing/pages.tsx';
import type { Route } from './+types/reviews.ts';

export function meta({ loaderData }: Route.MetaArgs) {
  const { criteria = {}, isRefused } = loaderData ?? {};
  const labels = isRefused ? '' : searchLabels(criteria).join(', ');
  return pageMeta(
    labels ? `Reviews by practitioners: ${labels}` : 'Reviews by practitioners',
    'Anonymous reviews of hospitals, residencies, fellowships, and clinics by verified US physicians.',
  );
}

export const clientAction = feedbackWrites.clientAction;

const wantsOptions = (url: string) => new URL(url).searchParams.get('refreshFilters') === 'true';

function readUrl(url: string) {
  const criteria = reviewListing.read(url);
  return { criteria, page: pageNumber(url), refreshesOptions: wantsOptions(url) };
}

/** The first page is part of the document, so it can be read before the script has loaded. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const asked = readUrl(request.url);
  const query = { ...asked.criteria, page: asked.page };
  const response = await askApi(context, reviewEndpoints.list, { query });
  const answer: Answer<Review> = response.ok
    ? { pages: [await response.json()], failure: null }
    : { pages: [], failure: listFailure(await response.json()) };
  const isRefused = response.status === 400;
  return data({ ...asked, answer, isRefused }, { status: response.status });
}

/**
 * Does not wait for the response, so the URL changes immediately and the old list stays until then.
 */
export function clientLoader({ request }: Route.ClientLoaderArgs): ReviewList {
  const kept = takeKeptList<ReviewList>();
  if (kept) return kept;
  const asked = readUrl(request.url);
  return { ...asked, answer: requestReviews(asked.criteria, asked.page) };
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  const [current, next] = [readUrl(currentUrl.href), readUrl(nextUrl.href)];
  const isSame =
    reviewListing.isSame(current.criteria, next.criteria) && current.page === next.page;
  return !isSame || next.refreshesOptions;
}

export default function Reviews({ loaderData }: Route.ComponentProps) {
  return (
    <ReviewBrowser
      list={loaderData}
      belowForm={<SaveSearch page="/reviews" criteria={loaderData.criteria} />}
    />
  );
}
