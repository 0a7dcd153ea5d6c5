import { Search } from 'lucide-react';
import { useId } from 'react';
import { SEARCH_MAX } from '#contract/limits.ts';
import { OrderField } from '#web/listing/choice-field.tsx';
import { ChosenFilters } from '#web/listing/chosen-filters.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { type FilterFieldsProps, PlaceFields, ReviewChoiceField } from './filter-fields.tsx';
import { FilterSheet, type FilterSheetProps } from './filter-sheet.tsx';
import { LIST_HEADING_ID } from './review-results.tsx';

interface FilterFormProps extends FilterSheetProps {
  onSubmit: () => void;
}

/** Search, order, and filters. A GET form, so it works without script. */
export function FilterForm({ form, options, state, onSubmit }: FilterFormProps) {
  return (
    <form
      action={form.listing.path()}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="flex flex-col gap-5 py-6 print:hidden"
    >
      <search className="flex flex-wrap items-end gap-3">
        <SearchBox form={form} />
        <FilterSheet form={form} options={options} state={state} />
        <OrderField form={form} />
      </search>
      <fieldset className="grid grid-cols-3 gap-x-4 gap-y-4 lg:grid-cols-4 max-md:hidden noscript:max-md:grid noscript:max-md:grid-cols-1">
        <legend className="sr-only">Filters</legend>
        {/* Without script, this sends the chosen cities. */}
        <input type="hidden" name="city" value={form.values['city'] ?? ''} />
        <PlaceFields form={form} options={options} />
        <ReviewChoiceField name="min_rating" form={form} />
        <ReviewChoiceField name="would_recommend" form={form} />
        <ReviewChoiceField name="is_current_employee" form={form} />
        <div className="hidden noscript:block">
          <Button type="submit" variant="secondary">
            Apply filters
          </Button>
        </div>
      </fieldset>
      <ChosenFilters form={form} headingId={LIST_HEADING_ID} />
    </form>
  );
}

function SearchBox({ form }: Pick<FilterFieldsProps, 'form'>) {
  const id = useId();
  return (
    <div className="flex min-w-[min(14rem,100%)] flex-1 items-end gap-3 max-sm:w-full max-sm:flex-none">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="sr-only">
          Search
        </label>
        <TextInput
          id={id}
          type="search"
          name="search"
          value={form.values.search ?? ''}
          onChange={(event) => form.type({ search: event.target.value })}
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
