import { titleCase } from '#contract/names.ts';
import { REVIEW_FILTER_CHOICES, REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import { formatLocation } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { defineListing } from '#web/listing/criteria.ts';

export const cityLabel = (city: string) => formatLocation({ city, state: null });

const labelOf = (name: keyof typeof REVIEW_FILTER_CHOICES) => (value: string) =>
  REVIEW_FILTER_CHOICES[name].find((choice) => choice.value === value)?.label ?? value;

/** docs/product/reviews.md, "Review filters". */
export const reviewListing = defineListing({
  path: paths.reviews,
  parameters: [
    'search',
    'position_title',
    'state',
    'city',
    'min_rating',
    'would_recommend',
    'is_current_employee',
    'ordering',
  ],
  orders: REVIEW_ORDERINGS,
  multiple: ['city'],
  labels: {
    position_title: titleCase,
    state: (state) => state.toUpperCase(),
    city: cityLabel,
    min_rating: labelOf('min_rating'),
    would_recommend: labelOf('would_recommend'),
    is_current_employee: labelOf('is_current_employee'),
  },
});
