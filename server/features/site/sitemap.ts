import * as z from 'zod/mini';
import { EMPLOYER_ID_MAX } from '#contract/limits.ts';
import { SITEMAP_PAGES } from '#contract/site/discovery.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  selectSitemapPart,
  selectSitemapParts,
} from '#server/features/employers/directory/directory-query.ts';
import { countAllReviews } from '#server/features/employers/queries.ts';
import { selectIdsByDay } from '#server/features/reviews/list/list-query.ts';
import { reviewedDaysBetween } from '#server/features/reviews/new-reviews.ts';
import { reviewDays } from '#server/features/reviews/reviews.ts';
import { XML_HEADER, xml, xmlDocument } from '#server/markup.ts';

type SitemapDeps = Pick<Deps, 'db' | 'cache' | 'config'>;

/** The maximum number of URLs in one file (sitemaps.org). */
const ADDRESSES_MAX = 50_000;
/** Up to this many reviews in total, a file covers a month; otherwise, a day. */
const BY_MONTH_MAX = 10_000;
/** A file covers the employers of this many ids. The newest review of each is looked up. */
const EMPLOYERS_PER_FILE = 500;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface Entry {
  readonly path: string;
  /** The day of its last change, if known. Nothing here is finer than a day. */
  readonly day?: string | undefined;
}

/** The files of the sitemap. Each has the day of its newest review. */
export async function sitemapIndex(deps: SitemapDeps): Promise<Buffer> {
  const { db, config } = deps;
  const [parts, days, total] = await Promise.all([
    selectSitemapParts(db, EMPLOYERS_PER_FILE),
    reviewDays(deps),
    countAllReviews(db),
  ]);
  const files: Entry[] = [
    { path: '/sitemaps/pages.xml', day: days[0] },
    // The files themselves show which employer has the newest review.
    ...parts.map((part) => ({ path: `/sitemaps/employers/${part}.xml`, day: days[0] })),
    ...reviewFiles(days, total),
  ];
  const entries = files.map(
    ({ path, day }) =>
      xml`<sitemap><loc>${config.publicUrl + path}</loc>${lastModified(day)}</sitemap>\n`,
  );
  return xmlDocument(xml`<sitemapindex xmlns="${NAMESPACE}">\n${entries}</sitemapindex>\n`);
}

/** One file for each month or day with reviews. `days` are newest first. */
export function reviewFiles(days: readonly string[], total: number): Entry[] {
  const length = total <= BY_MONTH_MAX ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length;
  const byPeriod = Map.groupBy(days, (day) => day.slice(0, length));
  return [...byPeriod].map(([period, [newest]]) => ({
    path: `/sitemaps/reviews/${period}.xml`,
    day: newest,
  }));
}

/** The pages without an id that have public content. Pages built from lists change with the newest review. */
export async function sitemapPages(deps: SitemapDeps): Promise<Buffer> {
  const [newest] = await reviewDays(deps);
  const lists = new Set(['/', '/employers', '/reviews']);
  return addresses(
    deps,
    SITEMAP_PAGES.map((path) => ({ path, day: lists.has(path) ? newest : undefined })),
  );
}

/** The employers in a file, each with the day of its newest review or of its entry. */
export async function sitemapEmployers(deps: SitemapDeps, part: number): Promise<Buffer> {
  // PostgreSQL has no such ids.
  if (part * EMPLOYERS_PER_FILE > EMPLOYER_ID_MAX) throw new AppError('not_found');
  const [employers, reviewed] = await Promise.all([
    selectSitemapPart(deps.db, part, EMPLOYERS_PER_FILE),
    reviewedDaysBetween(deps.db, (part - 1) * EMPLOYERS_PER_FILE, part * EMPLOYERS_PER_FILE),
  ]);
  if (employers.length === 0) throw new AppError('not_found');
  return addresses(
    deps,
    employers.map(({ id, day }) => ({
      path: `/employers/${id}`,
      day: reviewed.get(id)?.newest ?? day,
    })),
  );
}

/** The reviews of a month ('2026-11') or a day ('2026-11-22'). */
export async function sitemapReviews({ db, config }: SitemapDeps, period: string): Promise<Buffer> {
  const { from, until, most } = boundsOf(period);
  const days = await selectIdsByDay(db, from, until, most);
  if (days.length === 0) throw new AppError('not_found');
  // Thousands of URLs at once: ids and days need no escaping.
  const base = String(xml`<url><loc>${config.publicUrl}/reviews/`);
  const urls = days.map(({ day, ids }) => {
    const end = `</loc>${lastModified(day)}</url>\n`;
    return base + ids.join(end + base) + end;
  });
  return Buffer.from(`${XML_HEADER}<urlset xmlns="${NAMESPACE}">\n${urls.join('')}</urlset>\n`);
}

/** The first day of a period, the first one after it, and the maximum number of reviews in its file. */
function boundsOf(period: string): { from: string; until: string; most: number } {
  const isMonth = period.length === 'YYYY-MM'.length;
  const from = isMonth ? `${period}-01` : period;
  // "2026-13" is not a month, and "2026-02-30" is not a day.
  if (!z.iso.date().safeParse(from).success) throw new AppError('not_found');
  if (!isMonth) return { from, until: addDays(from, 1), most: ADDRESSES_MAX };
  const [year = 0, month = 0] = period.split('-').map(Number);
  return { from, until: toDay(new Date(Date.UTC(year, month))), most: BY_MONTH_MAX };
}

function addresses({ config }: Pick<Deps, 'config'>, entries: readonly Entry[]): Buffer {
  const urls = entries.map(
    ({ path, day }) => xml`<url><loc>${config.publicUrl + path}</loc>${lastModified(day)}</url>\n`,
  );
  return xmlDocument(xml`<urlset xmlns="${NAMESPACE}">\n${urls}</urlset>\n`);
}

const lastModified = (day: string | undefined) =>
  day === undefined ? '' : xml`<lastmod>${day}</lastmod>`;
