import { Search } from 'lucide-react';
import { useId } from 'react';
import { SEARCH_MAX } from '#contract/limits.ts';
import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import { paths } from '#web/lib/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { ChosenFilters } from './chosen-filters.tsx';
import { ChoiceField, type FilterFieldsProps, PlaceFields } from './filter-fields.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import { DEFAULT_ORDERING } from './filters.ts';
import type { ListState } from './review-list.ts';

interface FilterFormProps extends FilterFieldsProps {
  state: ListState;
  onSubmit: () => void;
}

/** Search, order and filters: a plain GET form, which a script only makes quicker. */
export function FilterForm({ state, onChange, onSubmit }: FilterFormProps) {
  const { filters } = state;
  return (
    <form
      action={paths.reviews()}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="flex flex-col gap-5 py-6"
    >
      <search className="flex flex-wrap items-end gap-3">
        <SearchBox state={state} onChange={onChange} />
        <FilterSheet state={state} onChange={onChange} />
        <OrderBox state={state} onChange={onChange} />
      </search>
      <fieldset className="grid grid-cols-3 gap-x-4 gap-y-4 lg:grid-cols-6 max-md:hidden noscript:max-md:grid noscript:max-md:grid-cols-1">
        <legend className="sr-only">Filters</legend>
        {/* Without script: those that are chosen go along. */}
        <input type="hidden" name="city" value={filters.city ?? ''} />
        <PlaceFields state={state} onChange={onChange} />
        <ChoiceField name="min_rating" state={state} onChange={onChange} />
        <ChoiceField name="would_recommend" state={state} onChange={onChange} />
        <ChoiceField name="is_current_employee" state={state} onChange={onChange} />
        <div className="hidden noscript:block">
          <Button type="submit" variant="secondary">
            Apply filters
          </Button>
        </div>
      </fieldset>
      <ChosenFilters filters={filters} onChange={onChange} />
    </form>
  );
}

function SearchBox({ state: { filters }, onChange }: FilterFieldsProps) {
  const id = useId();
  return (
    <div className="flex min-w-56 flex-1 items-end gap-3 max-sm:w-full max-sm:flex-none">
      <div className="flex-1">
        <label htmlFor={id} className="sr-only">
          Search
        </label>
        <TextInput
          id={id}
          type="search"
          name="search"
          value={filters.search ?? ''}
          onChange={(event) => onChange({ ...filters, search: event.target.value })}
          placeholder="Employer, position, or words in a review"
          maxLength={SEARCH_MAX}
        />
      </div>
      <Button type="submit" variant="secondary" className="min-h-12 max-sm:px-4">
        <Search aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Search</span>
      </Button>
    </div>
  );
}

/** A search is answered with the best match first, until another order is asked for. */
function OrderBox({ state: { filters }, onChange }: FilterFieldsProps) {
  const id = useId();
  const isSearch = Boolean(filters.search?.trim());
  // Where it goes without saying it is not asked for: a search to come shall rank.
  const implied = isSearch ? '' : DEFAULT_ORDERING;
  return (
    <div className="flex items-center gap-3 max-md:flex-1">
      <label htmlFor={id} className="text-sm whitespace-nowrap text-ink-soft max-md:sr-only">
        Sort by
      </label>
      <Select
        id={id}
        name="ordering"
        value={filters.ordering || implied}
        onChange={({ target }) =>
          onChange({ ...filters, ordering: target.value === implied ? '' : target.value })
        }
        className="min-w-40 flex-1"
      >
        {isSearch && <option value="">Best match</option>}
        {Object.entries(REVIEW_ORDERINGS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}
