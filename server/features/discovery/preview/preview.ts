import type { Employer } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import type { Card } from './card.ts';

/** The image of pages that are not about a single employer. */
export const SITE_CARD: Card = {
  title: 'Anonymous employer reviews by US physicians',
  subtitle: 'Hospitals, residencies, fellowships, and clinics',
  rating: null,
  note: 'By physicians verified through their NPI',
};

export function employerCard(employer: Employer): Card {
  const { total_reviews, overall_rating, city, state } = employer;
  const place = [city && titleCase(city), state].filter(Boolean).join(', ');
  return {
    title: titleCase(employer.name),
    subtitle: place || employer.employer_type_display,
    rating: overall_rating,
    note: reviewsNote(total_reviews),
  };
}

function reviewsNote(count: number): string {
  if (count === 0) return 'No reviews yet';
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'review' : 'reviews'}`;
}
