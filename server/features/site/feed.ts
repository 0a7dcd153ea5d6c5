import type { Employer } from '#contract/employers/employers.ts';
import { PAGE_SIZE, RATING_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { discoveryPaths, type FeedQuery } from '#contract/site/discovery.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import { listReviews } from '#server/features/reviews/reviews.ts';
import { paragraphsOf } from '#server/features/reviews/rows/review-row.ts';
import { type Html, xml, xmlDocument } from '#server/markup.ts';

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
export function employerFeed(deps: FeedDeps, { id, name }: Employer): Promise<Buffer> {
  const feed = {
    title: `Reviews of ${titleCase(name)} · Curbside`,
    self: discoveryPaths.employerFeed(id),
    page: `/employers/${id}`,
  };
  return newest(deps, feed, { employer_id: id });
}

/** The newest reviews that a search and its filters find. */
export function reviewsFeed(deps: FeedDeps, query: FeedQuery): Promise<Buffer> {
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
