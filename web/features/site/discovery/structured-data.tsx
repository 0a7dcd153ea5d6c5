import type { EmployerType } from '#contract/employer-choices.ts';
import type { Employer } from '#contract/employers.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';

/** JSON-LD (schema.org) for search engines. */
export function StructuredData({ facts }: { facts: object }) {
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
export function employerFacts(employer: Employer, origin: string): object {
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
export const siteFacts = (origin: string): object => ({
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
export const breadcrumbFacts = (crumbs: readonly Crumb[], origin: string): object => ({
  '@context': CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, path }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: origin + path,
  })),
});
