import type { StaticHandlerContext } from 'react-router';
import type { EmployerType } from '#contract/employers/employer-choices.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { discoveryPaths, FeedQuery, INDEXED_PAGES } from '#contract/site/discovery.ts';
import { paths } from '#web/lib/paths.ts';

/** JSON-LD (schema.org) for search engines. */
function StructuredData({ facts }: { facts: object }) {
  // Escaped, so that no text can end the script element.
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return (
    <script
      type="application/ld+json"
      data-page-head
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without a '<'
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}

const CONTEXT = 'https://schema.org';

const SCHEMA_TYPES: Record<EmployerType, string> = {
  hospital: 'Hospital',
  residency: 'EducationalOrganization',
  fellowship: 'EducationalOrganization',
  clinic: 'MedicalClinic',
  others: 'Organization',
};

/** An employer, or its EmployerAggregateRating if it has ratings. */
function employerFacts(employer: Employer, origin: string): object {
  const page = origin + paths.employer(employer.id);
  const organization = {
    '@type': SCHEMA_TYPES[employer.employer_type],
    '@id': page,
    name: titleCase(employer.name),
    url: employer.website ?? undefined,
    telephone: employer.phone ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: employer.address ?? undefined,
      addressLocality: employer.city ?? undefined,
      addressRegion: employer.state ?? undefined,
      postalCode: employer.zip ?? undefined,
      addressCountry: 'US',
    },
  };
  if (employer.overall_rating === null) return { '@context': CONTEXT, ...organization };
  return {
    '@context': CONTEXT,
    '@type': 'EmployerAggregateRating',
    itemReviewed: organization,
    ratingValue: employer.overall_rating,
    ratingCount: employer.total_reviews,
    bestRating: RATING_MAX,
    worstRating: RATING_MIN,
  };
}

/** The organization that runs the site. */
const siteFacts = (origin: string): object => ({
  '@context': CONTEXT,
  '@type': 'Organization',
  name: 'Curbside',
  url: origin + paths.home(),
  logo: `${origin}/icon-512.png`,
});

interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** The path to a page. The last crumb is the page itself. */
const breadcrumbFacts = (crumbs: readonly Crumb[], origin: string): object => ({
  '@context': CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, path }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: origin + path,
  })),
});

type Rendered = Pick<StaticHandlerContext, 'matches' | 'loaderData' | 'statusCode'>;

/** The loader data that this head uses (web/routes/employer.tsx, web/routes/review.tsx). */
interface Loaded {
  readonly employer?: Employer;
  readonly review?: Review;
}

/** What the head describes. */
interface Described extends Loaded {
  readonly url: URL;
  /** The page's path in PAGE_QUERIES. */
  readonly page: string;
}

/**
 * Metadata for search engines, feed readers, and link previews, besides title and description. Only
 * the server renders it (web/lib/render-context.ts), because these clients load every page from the
 * server.
 */
export function PageHead({ rendered, url: href }: { rendered: Rendered; url: string }) {
  const url = new URL(href);
  const described = { url, ...read(rendered) };
  const isPublic = rendered.statusCode === 200 && INDEXED_PAGES.includes(described.page);
  const isIndexed = isPublic && url.search === '';
  return (
    <>
      <Icons />
      {!isIndexed && <meta name="robots" content="noindex" data-page-head />}
      {isPublic && (
        <>
          <link rel="canonical" href={url.href} data-page-head />
          <Preview {...described} />
          <Feed {...described} />
          {isIndexed && <Facts {...described} />}
        </>
      )}
    </>
  );
}

function read({ matches, loaderData }: Rendered): Loaded & { page: string } {
  const route = matches.at(-1)?.route;
  const page = `/${route?.path ?? ''}`;
  const loaded: unknown = route && loaderData[route.id];
  if (!loaded) return { page };
  if (page === '/employers/:employerId') {
    const { employer } = loaded as Loaded;
    return { page, ...(employer && { employer }) };
  }
  if (page === '/reviews/:reviewId') return { page, review: loaded as Review };
  return { page };
}

/** Site-wide, so they stay when the visitor goes to another page. */
function Icons() {
  return (
    <>
      <link rel="icon" type="image/png" sizes="32x32" href="/icon-32.png" />
      <link rel="icon" type="image/svg+xml" sizes="any" href="/icon.svg" />
      <link rel="apple-touch-icon" sizes="180x180" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
    </>
  );
}

/**
 * The preview of links to the page on other sites (ogp.me). Title and description are in
 * `pageMeta`.
 */
function Preview({ url }: Described) {
  const properties = {
    'og:site_name': 'Curbside',
    'og:type': 'website',
    'og:url': url.href,
    'og:image': `${url.origin}/preview.png`,
    'og:image:type': 'image/png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'Curbside: anonymous employer reviews by US physicians',
  };
  return (
    <>
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} data-page-head />
      ))}
      <meta name="twitter:card" content="summary_large_image" data-page-head />
    </>
  );
}

/** The feed of the reviews on the page. */
function Feed({ url, page, employer }: Described) {
  const feed = employer ? discoveryPaths.employerFeed(employer.id) : feedOf(page, url);
  if (!feed) return null;
  return (
    <link
      rel="alternate"
      type="application/atom+xml"
      title={employer ? `Reviews of ${titleCase(employer.name)}` : 'Reviews'}
      href={url.origin + feed}
      data-page-head
    />
  );
}

/** The feed of a list has its search and filters. */
function feedOf(page: string, url: URL): string | null {
  if (page !== '/reviews') return null;
  const search = new URLSearchParams(url.search);
  for (const name of [...search.keys()]) if (!(name in FeedQuery.shape)) search.delete(name);
  return discoveryPaths.reviewsFeed + (search.size > 0 ? `?${search}` : '');
}

function Facts({ url: { origin, pathname }, page, employer, review }: Described) {
  if (page === '/') return <StructuredData facts={siteFacts(origin)} />;
  const of = employer ?? review?.employer;
  if (!of) return null;
  const crumbs = [
    { name: 'Employers', path: paths.employers() },
    { name: titleCase(of.name), path: paths.employer(of.id) },
    ...(review ? [{ name: 'Review', path: pathname }] : []),
  ];
  return (
    <>
      {employer && <StructuredData facts={employerFacts(employer, origin)} />}
      <StructuredData facts={breadcrumbFacts(crumbs, origin)} />
    </>
  );
}
