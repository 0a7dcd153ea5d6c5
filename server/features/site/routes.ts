import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { type Employer, EmployerId, MergedEmployer } from '#contract/employers/employers.ts';
import { EMPLOYER_ID_MAX, PAGE_SIZE, RATING_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import {
  discoveryPaths,
  FeedQuery,
  SITEMAP_PAGES,
  SitemapPeriod,
} from '#contract/site/discovery.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Topic } from '#server/db/topics.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  selectSitemapPart,
  selectSitemapParts,
} from '#server/features/employers/directory/directory-query.ts';
import { countAllReviews, currentId, readEmployer } from '#server/features/employers/queries.ts';
import { selectIdsByDay } from '#server/features/reviews/list/list-query.ts';
import { reviewedDaysBetween } from '#server/features/reviews/new-reviews.ts';
import { listReviews, reviewDays } from '#server/features/reviews/reviews.ts';
import { paragraphsOf } from '#server/features/reviews/rows/review-row.ts';
import { type Html, XML_HEADER, xml, xmlDocument } from '#server/markup.ts';
import { refusals } from '#server/plugins/route.ts';

/**
 * For crawlers (RFC 9309). Pages that must not be indexed say so themselves: a crawler could not
 * see that on a page it may not load. Only URLs that cost a request per employer and show nothing
 * are disallowed.
 */
const robotsTxt = (publicUrl: string): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /create-review',
    '',
    `Sitemap: ${publicUrl}${discoveryPaths.sitemap}`,
    '',
  ].join('\n');

const nothing = z.strictObject({});
const byId = z.strictObject({ id: EmployerId });
const byPart = z.strictObject({ part: EmployerId });
const byPeriod = z.strictObject({ period: SitemapPeriod });

const XML = 'application/xml; charset=utf-8';
const ATOM = 'application/atom+xml; charset=utf-8';

interface File<Params, Query> {
  readonly type: string;
  readonly madeFrom: readonly Topic[];
  readonly params?: z.ZodMiniType<Params>;
  readonly query?: z.ZodMiniType<Query>;
}

/** What search engines and feed readers load (docs/product/discovery.md). */
export function discoveryRoutes(deps: Deps): FastifyPluginAsync {
  const { db, config } = deps;
  return async (app) => {
    const robots = robotsTxt(config.publicUrl);
    const { schema } = schemaOf({ type: 'text/plain', madeFrom: [] });
    app.get('/robots.txt', { config: { access: 'public' }, schema }, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8');
      return robots;
    });

    const listed: readonly Topic[] = ['employers', 'reviews'];
    serve(app, discoveryPaths.sitemap, { type: XML, madeFrom: listed }, () => sitemapIndex(deps));
    serve(app, '/sitemaps/pages.xml', { type: XML, madeFrom: ['reviews'] }, () =>
      sitemapPages(deps),
    );
    serve(
      app,
      '/sitemaps/employers/:part.xml',
      { type: XML, madeFrom: listed, params: byPart },
      ({ params }) => sitemapEmployers(deps, params.part),
    );
    serve(
      app,
      '/sitemaps/reviews/:period.xml',
      { type: XML, madeFrom: ['reviews'], params: byPeriod },
      ({ params }) => sitemapReviews(deps, params.period),
    );

    serve(
      app,
      discoveryPaths.reviewsFeed,
      { type: ATOM, madeFrom: ['reviews'], query: FeedQuery },
      ({ query }) => reviewsFeed(deps, query),
    );
    serve(
      app,
      discoveryPaths.employerFeed(':id'),
      { type: ATOM, madeFrom: listed, params: byId },
      async ({ params }, reply) => {
        const id = await currentId(db, params.id);
        if (id !== params.id) return movedTo(reply, id, discoveryPaths.employerFeed(id));
        return employerFeed(deps, await readEmployer(db, id));
      },
    );
  };
}

/** Registers a file that is the same for everyone. Like the pages, it is not part of the API. */
function serve<Params, Query>(
  app: FastifyInstance,
  url: string,
  file: File<Params, Query>,
  make: (
    request: FastifyRequest<{ Params: Params; Querystring: Query }>,
    reply: FastifyReply,
  ) => Promise<Buffer | MergedEmployer>,
) {
  app.get<{ Params: Params; Querystring: Query }>(url, {
    config: { access: 'public', madeFrom: file.madeFrom },
    ...schemaOf(file),
    async handler(request, reply) {
      const made = await make(request, reply);
      // It contains nothing that the pages do not have.
      if (file.type === ATOM) reply.header('x-robots-tag', 'noindex');
      if (Buffer.isBuffer(made)) reply.type(file.type);
      return made;
    },
  });
}

function schemaOf<Params, Query>({ params, query, madeFrom: _, type: __ }: File<Params, Query>) {
  return {
    schema: {
      hide: true,
      ...(params && { params }),
      querystring: query ?? nothing,
      response: { 200: z.string(), 301: MergedEmployer, ...refusals(400, 404) },
    },
  };
}

/** Redirects to the same file of the employer that this one was merged into. */
function movedTo(reply: FastifyReply, id: number, location: string): MergedEmployer {
  reply.code(301).header('location', location);
  return { merged_into: id };
}

type FeedDeps = Pick<Deps, 'db' | 'cache' | 'clock' | 'config'>;

interface Feed {
  readonly title: string;
  /** The URL of the feed, which is also its id. */
  readonly self: string;
  /** The page with the same reviews. */
  readonly page: string;
}

/** RFC 4287 requires a date, even of a feed without entries. */
const NO_DAY = '1970-01-01';

/** The newest reviews of an employer. */
function employerFeed(deps: FeedDeps, { id, name }: Employer): Promise<Buffer> {
  const feed = {
    title: `Reviews of ${titleCase(name)} · Curbside`,
    self: discoveryPaths.employerFeed(id),
    page: `/employers/${id}`,
  };
  return newest(deps, feed, { employer_id: id });
}

/** The newest reviews that a search and its filters find. */
function reviewsFeed(deps: FeedDeps, query: FeedQuery): Promise<Buffer> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  );
  const { search: text, position_title, specialty, state, city } = query;
  const criteria = [text, position_title, specialty, city, state].filter(Boolean).join(', ');
  const suffix = search.size > 0 ? `?${search}` : '';
  const feed = {
    title: `${criteria ? `Reviews: ${criteria}` : 'Newest reviews'} · Curbside`,
    self: discoveryPaths.reviewsFeed + suffix,
    page: `/reviews${suffix}`,
  };
  return newest(deps, feed, query);
}

async function newest(
  deps: FeedDeps,
  feed: Feed,
  criteria: FeedQuery & { employer_id?: number },
): Promise<Buffer> {
  const page = { page: 1, page_size: PAGE_SIZE, ordering: '-created_at' } as const;
  const { results } = await listReviews(deps, { ...criteria, ...page });
  return xmlDocument(atom(deps.config.publicUrl, feed, results));
}

/**
 * An Atom feed (RFC 4287). Dates are days, and the reviews of a day are in the random order of
 * their ids, so that storing feeds reveals nothing finer.
 */
function atom(publicUrl: string, { title, self, page }: Feed, reviews: readonly Review[]): Html {
  const dated = reviews
    .map((review) => ({ review, day: toDay(new Date(review.created_at)) }))
    .toSorted((a, b) => b.day.localeCompare(a.day) || a.review.id.localeCompare(b.review.id));
  return xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">
<id>${publicUrl + self}</id>
<title>${title}</title>
<updated>${midnight(dated[0]?.day ?? NO_DAY)}</updated>
<link rel="self" type="application/atom+xml" href="${publicUrl + self}"/>
<link rel="alternate" type="text/html" href="${publicUrl + page}"/>
<author><name>Verified doctors, anonymously</name></author>
${dated.map(({ review, day }) => entry(publicUrl, review, day))}</feed>
`;
}

/** The id is the review's own, whatever the site's URL. */
function entry(publicUrl: string, review: Review, day: string): Html {
  const { id, position_title, employer, overall_rating } = review;
  const title = `${titleCase(position_title)} at ${titleCase(employer.name)}: ${overall_rating} of ${RATING_MAX} stars`;
  return xml`<entry>
<id>urn:uuid:${id}</id>
<title>${title}</title>
<published>${midnight(day)}</published>
<updated>${midnight(day)}</updated>
<link rel="alternate" type="text/html" href="${`${publicUrl}/reviews/${id}`}"/>
<content type="text">${paragraphsOf(review).join('\n\n')}</content>
</entry>
`;
}

const midnight = (day: string) => `${day}T00:00:00Z`;

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
async function sitemapIndex(deps: SitemapDeps): Promise<Buffer> {
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
async function sitemapPages(deps: SitemapDeps): Promise<Buffer> {
  const [newest] = await reviewDays(deps);
  const lists = new Set(['/', '/employers', '/reviews']);
  return addresses(
    deps,
    SITEMAP_PAGES.map((path) => ({ path, day: lists.has(path) ? newest : undefined })),
  );
}

/** The employers in a file, each with the day of its newest review or of its entry. */
async function sitemapEmployers(deps: SitemapDeps, part: number): Promise<Buffer> {
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
async function sitemapReviews({ db, config }: SitemapDeps, period: string): Promise<Buffer> {
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
