import { useState } from 'react';
import type { EmployerType } from '#contract/employer-choices.ts';
import type { Employer } from '#contract/employers.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';

/**
 * JSON-LD (schema.org) for search engines. Only in pages that the server renders: in the browser,
 * Trusted Types forbid inserting a script. Set `key` to the subject of the facts.
 */
export function StructuredData({ facts }: { facts: object }) {
  const isHydrated = useHydrated();
  const [json] = useState(() =>
    // So that nothing in it ends the element.
    isHydrated ? null : JSON.stringify(facts).replaceAll('<', '\\u003c'),
  );
  if (json === null) return null;
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without a '<'
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  );
}

const SCHEMA_TYPES: Record<EmployerType, string> = {
  hospital: 'Hospital',
  residency: 'EducationalOrganization',
  fellowship: 'EducationalOrganization',
  clinic: 'MedicalClinic',
  others: 'Organization',
};

/** An employer for schema.org. With a rating, it is wrapped in an EmployerAggregateRating. */
export function employerFacts(employer: Employer, url: string): object {
  const organization = {
    '@type': SCHEMA_TYPES[employer.employer_type],
    '@id': url,
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
  if (employer.overall_rating === null) {
    return { '@context': 'https://schema.org', ...organization };
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'EmployerAggregateRating',
    itemReviewed: organization,
    ratingValue: employer.overall_rating,
    ratingCount: employer.total_reviews,
    bestRating: RATING_MAX,
    worstRating: RATING_MIN,
  };
}
