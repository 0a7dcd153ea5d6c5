import { REVIEWS_OF_SUBGROUP } from '#contract/limits.ts';

/** The label of a figure: small on a phone, where figures stand side by side. */
export const LABEL = 'text-sm leading-tight text-ink-faint md:text-base md:label-caps';

/** Instead of the average of a few reviews, which would reveal each of them. */
export const TOO_FEW = `too few to show (${REVIEWS_OF_SUBGROUP} needed)`;
