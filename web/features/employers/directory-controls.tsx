import { ChevronDown, Search } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Form } from 'react-router';
import type { EmployerFilterOptions } from '#contract/employers.ts';
import { DIRECTORY_SEARCH_DEBOUNCE_MS, SEARCH_MAX } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { OrderField } from '#web/listing/choice-field.tsx';
import { ClearFilters, FilterToggle } from '#web/listing/chosen-filters.tsx';
import type { Criteria } from '#web/listing/criteria.ts';
import { type ListForm, useListForm } from '#web/listing/use-list-form.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { boundErrors, directoryListing } from './directory-listing.ts';
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
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox form={form} />
          <FilterToggle
            count={directoryListing.chosenFilters(criteria).length}
            aria-expanded={open !== null}
            aria-controls={panelId}
            onClick={toggle}
          >
            <ChevronDown
              aria-hidden
              className={cx('size-4 transition-transform max-md:hidden', open && 'rotate-180')}
            />
          </FilterToggle>
          <OrderField form={form} />
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

function SearchBox({ form }: { form: ListForm }) {
  return (
    <div className="relative min-w-[min(14rem,100%)] flex-1 max-md:basis-full">
      <label htmlFor="employer-search" className="sr-only">
        Search employers
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 size-5 -translate-y-1/2 text-ink-faint"
      />
      <TextInput
        id="employer-search"
        type="search"
        name="search"
        placeholder="Name, city, specialty or address"
        autoComplete="off"
        maxLength={SEARCH_MAX}
        value={form.values.search ?? ''}
        onChange={({ target }) => form.type({ search: target.value })}
        onBlur={form.endTyping}
        className="pl-11"
      />
    </div>
  );
}
