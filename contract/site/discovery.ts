import * as z from 'zod/mini';
import { ReviewQuery } from '../reviews/review-queries.ts';

/** What search engines, feed readers, and link previews find (docs/product/discovery.md). */

/**
 * The pages that search engines may index, by their path in PAGE_QUERIES. URLs with a query are
 * excluded: filters, orders, and further pages only repeat what other pages show.
 */
export const INDEXED_PAGES: readonly string[] = [
  '/',
  '/employers',
  '/employers/:employerId',
  '/compare',
  '/reviews',
  '/reviews/:reviewId',
  '/login',
  '/signup',
  '/forgot-password',
  '/verification-required',
  '/how-it-works',
  '/guidelines',
  '/transparency',
  '/terms-of-use',
  '/privacy-policy',
];

/** Indexed pages without content of their own, which the sitemap leaves out. */
const FORM_PAGES = ['/login', '/signup', '/forgot-password', '/verification-required'];

/** The pages without an id that the sitemap lists. */
export const SITEMAP_PAGES = INDEXED_PAGES.filter(
  (page) => !page.includes(':') && !FORM_PAGES.includes(page),
);

export const discoveryPaths = {
  sitemap: '/sitemap.xml',
  employerFeed: (id: number | string) => `/feeds/employers/${id}`,
  reviewsFeed: '/feeds/reviews',
} as const;

/** The search and the filters of `GET /reviews/`. A feed always has the newest reviews. */
export const FeedQuery = z.omit(ReviewQuery, { page: true, page_size: true, ordering: true });
export type FeedQuery = z.infer<typeof FeedQuery>;

/** The period that a sitemap file of reviews covers: '2026-11' or '2026-11-22'. */
export const SitemapPeriod = z
  .string()
  .check(z.regex(/^[12]\d{3}-\d{2}(?:-\d{2})?$/, 'Must be a month or a day'));
