import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Form } from 'react-router';
import { CATEGORY_ORDERINGS } from '#contract/employers/employer-choices.ts';
import type { EmployerFilterOptions } from '#contract/employers/employers.ts';
import { DIRECTORY_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { OrderField, OrderOptions } from '#web/listing/choice-field.tsx';
import { ClearFilters, FilterToggle } from '#web/listing/chosen-filters.tsx';
import type { Criteria } from '#web/listing/criteria.ts';
import { ListSearch } from '#web/listing/list-search.tsx';
import type { SuggestionPaths } from '#web/listing/suggested-options.tsx';
import { type ListForm, useListForm } from '#web/listing/use-list-form.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { boundErrors, directoryListing, ratedByOf } from './directory-listing.ts';
import { FilterFields } from './filter-fields.tsx';

/** Wide enough for filters in the page (`md` in docs/product.md, "Layout and navigation"). */
const WIDE = '(min-width: 48rem)';

interface DirectoryControlsProps {
  criteria: Criteria;
  /** Passes the options to the fields once they are loaded. */
  withOptions: (fields: (options: EmployerFilterOptions | null) => ReactNode) => ReactNode;
  /** The label of the button that closes the sheet: 'Show 12 employers'. */
  closeLabel: ReactNode;
}

/**
 * Search, filters, and order. A GET form, so it works without script. The filters open in the page,
 * or on a phone in a sheet.
 */
export function DirectoryControls({ criteria, withOptions, closeLabel }: DirectoryControlsProps) {
  const form = useListForm(directoryListing, criteria, {
    typingPauseMs: DIRECTORY_SEARCH_DEBOUNCE_MS,
    validate: boundErrors,
  });
  const panelId = useId();
  const [open, setOpen] = useState<'panel' | 'sheet' | null>(
    Object.keys(form.errors).length > 0 ? 'panel' : null,
  );
  const toggle = () => setOpen(open ? null : window.matchMedia(WIDE).matches ? 'panel' : 'sheet');
  const ratedBy = ratedByOf(form.values);
  const fields = withOptions((options) => <FilterFields form={form} options={options} />);
  const clear = <ClearFilters form={form} className="prose-link py-1 text-sm" />;

  return (
    <>
      <Form
        action={paths.employers()}
        role="search"
        aria-label="Employers"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
        className="py-6 print:hidden"
      >
        {/* On a wide page, the two columns of the cards below. */}
        <div className="flex flex-wrap items-end gap-3 lg:grid lg:grid-cols-2 lg:gap-x-16">
          <div className="flex items-end gap-3 max-lg:contents">
            <ListSearch
              form={form}
              label="Search employers"
              placeholder="Name, city, specialty or address"
              paths={suggestionPaths(form.values)}
              className="min-w-0 flex-1 max-lg:basis-full"
              isShort
            />
            <FilterToggle
              count={directoryListing.chosenFilters(criteria).length}
              aria-expanded={open !== null}
              aria-controls={panelId}
              onClick={toggle}
            >
              <ChevronDown
                aria-hidden
                className={cx('size-4 transition-transform max-xl:hidden', open && 'rotate-180')}
              />
            </FilterToggle>
          </div>
          <div className="contents md:grid md:flex-1 md:grid-cols-2 md:gap-4">
            <OrderField form={form} shown={ratedBy ? '-overall_rating' : undefined} />
            <RatedByField form={form} />
          </div>
        </div>
        <div
          id={panelId}
          className={cx(
            'mt-4 rounded-md border border-rule bg-raised p-5 sm:p-7',
            open !== 'panel' && 'hidden noscript:block',
          )}
        >
          <div className="mb-4 flex min-h-7 items-baseline justify-between gap-4">
            <h2 className="font-display text-xl">Filters</h2>
            {clear}
          </div>
          {fields}
          <div className="mt-6 hidden noscript:block">
            <Button type="submit">Apply filters</Button>
          </div>
        </div>
      </Form>
      {open === 'sheet' && (
        <Dialog
          title="Filters"
          isSheet
          onClose={() => setOpen(null)}
          actions={
            <>
              {clear}
              <Button onClick={() => setOpen(null)}>{closeLabel}</Button>
            </>
          }
        >
          {fields}
        </Dialog>
      )}
    </>
  );
}

/** The category of the order. After "Sort by", so that it wins in a form that is sent without script. */
function RatedByField({ form }: { form: ListForm }) {
  const id = useId();
  return (
    <div className="flex min-w-0 items-center gap-3 max-md:basis-full md:flex-col md:items-stretch md:gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold whitespace-nowrap">
        Rated by
      </label>
      <Select
        id={id}
        name="ordering"
        value={ratedByOf(form.values) ? form.values.ordering : ''}
        onChange={({ target: { value } }) => form.choose({ ordering: value || '-overall_rating' })}
        className="min-w-0 flex-1"
      >
        <option value="">Overall</option>
        <OrderOptions orders={CATEGORY_ORDERINGS} />
      </Select>
    </div>
  );
}

/**
 * A suggested specialty becomes a filter and replaces the search. Positions and reviews are on
 * another page.
 */
function suggestionPaths({ search: _, ...filters }: Criteria): SuggestionPaths {
  return {
    employers: (search) => paths.employers(directoryListing.tidy({ ...filters, search })),
    specialty: (specialty) => paths.employers(directoryListing.tidy({ ...filters, specialty })),
    position: (position_title) => paths.reviews({ position_title }),
    reviews: (search) => paths.reviews({ search }),
  };
}
