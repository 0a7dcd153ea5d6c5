import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import { paths } from '#web/lib/paths.ts';
import { defineListing } from '#web/listing/criteria.ts';

/** The reviews on an employer's page. */
export const employerReviewListing = (employerId: number | string) =>
  defineListing({
    path: (query) => paths.employer(employerId, query),
    parameters: ['position_title', 'ordering'],
    orders: REVIEW_ORDERINGS,
  });
