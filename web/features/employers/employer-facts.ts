import type { EmployerType } from '#contract/employer-choices.ts';
import type { Employer } from '#contract/employers.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';

const SCHEMA_TYPES: Record<EmployerType, string> = {
  hospital: 'Hospital',
  residency: 'EducationalOrganization',
  fellowship: 'EducationalOrganization',
  clinic: 'MedicalClinic',
  others: 'Organization',
};

/** An employer as schema.org has it; with a rating, as an EmployerAggregateRating of it. */
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
