import { useState } from 'react';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import { plural } from '#web/lib/format.ts';
import { ChosenFilters, FilterToggle } from '#web/listing/chosen-filters.tsx';
import type { PagesState } from '#web/listing/pages.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { type FilterFieldsProps, PlaceFields, ReviewChoiceField } from './filter-fields.tsx';
import { LIST_HEADING_ID } from './review-results.tsx';

export interface FilterSheetProps extends FilterFieldsProps {
  state: Pick<PagesState<unknown>, 'count' | 'isLoading'>;
}

export function FilterSheet({ form, options, state }: FilterSheetProps) {
  const [isOpen, setOpen] = useState(false);
  const { listing, values } = form;
  const chosen = listing.chosenFilters(values).length;
  const close = () => setOpen(false);
  return (
    <div className="md:hidden noscript:hidden">
      <FilterToggle count={chosen} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog
          title="Filters"
          isSheet
          onClose={close}
          actions={
            <>
              <Button
                variant="secondary"
                disabled={chosen === 0}
                onClick={() => form.replace(listing.withoutFilters(values))}
              >
                Clear all
              </Button>
              <Button onClick={close} className="flex-1">
                {closeLabel(state)}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-5 text-ink">
            <ChosenFilters form={form} headingId={LIST_HEADING_ID} />
            <RatingChoices form={form} />
            <ReviewChoiceField name="max_rating" form={form} />
            <PlaceFields form={form} options={options} />
            <ReviewChoiceField name="would_recommend" form={form} />
            <ReviewChoiceField name="is_current_employee" form={form} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

function closeLabel({ isLoading, count }: FilterSheetProps['state']): string {
  return isLoading || count === null ? 'Loading...' : `Show ${plural(count, 'review')}`;
}

/** Buttons for the minimum rating (docs/product/reviews.md, "Review filters"). */
function RatingChoices({ form }: Pick<FilterFieldsProps, 'form'>) {
  const choices = [{ value: '', label: 'Any' }, ...REVIEW_FILTER_CHOICES.min_rating];
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Minimum rating</legend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {choices.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="sheet_min_rating"
              value={value}
              checked={(form.values['min_rating'] ?? '') === value}
              onChange={() => form.choose({ min_rating: value })}
              className="peer sr-only"
            />
            <span
              className={
                'flex min-h-11 items-center rounded-md border border-control px-3.5 text-sm ' +
                'peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent ' +
                'outline-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2'
              }
            >
              {label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
