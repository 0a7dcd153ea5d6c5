import { paths } from '#web/lib/paths.ts';
import { OrderField } from '#web/listing/choice-field.tsx';
import { ChosenFilters } from '#web/listing/chosen-filters.tsx';
import type { Criteria } from '#web/listing/criteria.ts';
import { ListSearch } from '#web/listing/list-search.tsx';
import type { SuggestionPaths } from '#web/listing/suggested-options.tsx';
import { Button } from '#web/ui/button.tsx';
import { PlaceFields, ReviewChoiceField } from './filter-fields.tsx';
import { FilterSheet, type FilterSheetProps } from './filter-sheet.tsx';
import { reviewListing } from './review-listing.ts';
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
      <search className="flex flex-wrap items-end gap-3 md:grid md:grid-cols-3 md:gap-4 lg:grid-cols-4">
        <ListSearch
          form={form}
          label="Search by employer, position, or keyword"
          placeholder="For example, hospitalist night shifts"
          className="min-w-0 max-md:basis-full md:col-span-2 lg:col-span-3"
          paths={suggestionPaths(form.values)}
        />
        <FilterSheet form={form} options={options} state={state} />
        <OrderField form={form} />
      </search>
      <fieldset className="grid grid-cols-3 gap-x-4 gap-y-4 lg:grid-cols-4 max-md:hidden noscript:max-md:grid noscript:max-md:grid-cols-1">
        <legend className="sr-only">Filters</legend>
        {/* Without script, this sends the chosen cities. */}
        <input type="hidden" name="city" value={form.values['city'] ?? ''} />
        <PlaceFields form={form} options={options} />
        <ReviewChoiceField name="min_rating" form={form} />
        <ReviewChoiceField name="max_rating" form={form} />
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

/** A suggested specialty or position becomes a filter and replaces the search. */
function suggestionPaths({ search: _, ...filters }: Criteria): SuggestionPaths {
  const to = (change: Criteria) => paths.reviews(reviewListing.tidy({ ...filters, ...change }));
  return {
    employers: (search) => paths.employers({ search }),
    specialty: (specialty) => to({ specialty }),
    position: (position_title) => to({ position_title }),
    reviews: (search) => to({ search }),
  };
}
