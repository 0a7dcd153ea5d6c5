import { REVIEWS_OF_SUBGROUP } from '#contract/limits.ts';
import { plural } from '#web/lib/format.ts';

/** The label of a figure: small on a phone, where figures stand side by side. */
export const LABEL = 'text-sm leading-tight text-ink-faint md:text-base md:label-caps';

/** Instead of the average of a few reviews, which would reveal each of them. */
export const tooFew = (needed: number) => `too few to show (${needed} needed)`;

/** The number of reviews, and why they have no average. */
export function countOf(
  reviews: number,
  average: number | null,
  needed = REVIEWS_OF_SUBGROUP,
): string {
  const count = plural(reviews, 'review');
  return average === null && reviews > 0 ? `${count}, ${tooFew(needed)}` : count;
}
