import { choiceLabel } from '#contract/review-choices.ts';
import { plural } from '#web/lib/format.ts';

export const RATING_LABELS = {
  min_rating: choiceLabel('min_rating'),
  max_rating: choiceLabel('max_rating'),
};

/** '2 stars', or '2 to 4 stars'. */
export const RATING_RANGE = {
  min: 'min_rating',
  max: 'max_rating',
  label: (min: string, max: string) =>
    min === max ? plural(Number(min), 'star') : `${min} to ${max} stars`,
};
