import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import { plural } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ChosenFilters } from './chosen-filters.tsx';
import { ChoiceField, type FilterFieldsProps, PlaceFields } from './filter-fields.tsx';
import { choicesOf, withoutChoices } from './filters.ts';
import type { ListState } from './review-list.ts';

interface FilterSheetProps extends FilterFieldsProps {
  state: ListState;
}

/** The filters where there is no room for them beside the list: a sheet, and what opens it. */
export function FilterSheet({ state, onChange }: FilterSheetProps) {
  const [isOpen, setOpen] = useState(false);
  const chosen = choicesOf(state.filters).length;
  const close = () => setOpen(false);
  return (
    <div className="md:hidden noscript:hidden">
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="min-h-12 px-4"
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        Filters
        {chosen > 0 && (
          <span className="grid size-6 place-items-center rounded-full bg-accent text-xs text-on-accent lining-nums">
            {chosen}
            <span className="sr-only"> active</span>
          </span>
        )}
      </Button>
      {isOpen && (
        <Dialog
          title="Filters"
          isSheet
          isOpen
          onClose={close}
          actions={
            <>
              <Button
                variant="secondary"
                disabled={chosen === 0}
                onClick={() => onChange(withoutChoices(state.filters))}
              >
                Clear all
              </Button>
              <Button onClick={close} className="flex-1">
                {showsLabel(state)}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-5 text-ink">
            <ChosenFilters filters={state.filters} onChange={onChange} />
            <RatingChoices state={state} onChange={onChange} />
            <PlaceFields state={state} onChange={onChange} />
            <ChoiceField name="would_recommend" state={state} onChange={onChange} />
            <ChoiceField name="is_current_employee" state={state} onChange={onChange} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

function showsLabel({ isLoading, count }: ListState): string {
  return isLoading || count === null ? 'Loading...' : `Show ${plural(count, 'review')}`;
}

/** Specification, section 2: '4+', '3+', '2+', '1+ stars' at a tap. */
function RatingChoices({ state: { filters }, onChange }: FilterFieldsProps) {
  const choices = [{ value: '', label: 'Any' }, ...REVIEW_FILTER_CHOICES.min_rating];
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Minimum rating</legend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {choices.map(({ value, label }) => (
          <label
            key={value}
            className={
              'flex min-h-11 items-center rounded-md border border-control px-3.5 text-sm ' +
              'has-checked:border-accent has-checked:bg-accent has-checked:text-on-accent ' +
              'outline-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2'
            }
          >
            <input
              type="radio"
              name="sheet_min_rating"
              value={value}
              checked={(filters.min_rating ?? '') === value}
              onChange={() => onChange({ ...filters, min_rating: value })}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
