import { ChevronDown, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Form, Link } from 'react-router';
import type { EmployerFilterOptions } from '#contract/employers.ts';
import { paths } from '#web/lib/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { activeFilters, type DirectoryQuery, withoutFilters } from './directory-query.ts';
import { FilterFields } from './filter-fields.tsx';
import { Order, SearchBox } from './search-and-order.tsx';
import { useDirectoryForm } from './use-directory-form.ts';

/** From here on there is room for the filters within the page (specification, section 9, md). */
const WIDE = '(min-width: 48rem)';

interface DirectoryControlsProps {
  query: DirectoryQuery;
  /** Hands the options to the fields once they are there. */
  withOptions: (fields: (options: EmployerFilterOptions | null) => ReactNode) => ReactNode;
  /** What closes the sheet: 'Show 12 employers'. */
  closeLabel: ReactNode;
}

/**
 * Search, filters and order, as one GET form: without script it is sent as it stands. The filters
 * open within the page, or on a phone on a sheet over it.
 */
export function DirectoryControls({ query, withOptions, closeLabel }: DirectoryControlsProps) {
  const form = useDirectoryForm(query);
  const panelId = useId();
  const [open, setOpen] = useState<'panel' | 'sheet' | null>(
    Object.keys(form.errors).length > 0 ? 'panel' : null,
  );
  const toggle = () => setOpen(open ? null : window.matchMedia(WIDE).matches ? 'panel' : 'sheet');
  const active = activeFilters(query);
  const fields = withOptions((options) => <FilterFields form={form} options={options} />);

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
        className="py-6"
      >
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox form={form} />
          <Button
            variant="secondary"
            aria-expanded={open !== null}
            aria-controls={panelId}
            onClick={toggle}
            className="min-h-12 px-4 noscript:hidden"
          >
            <SlidersHorizontal aria-hidden className="size-4" />
            Filters
            {active > 0 && <ActiveBadge count={active} />}
            <ChevronDown
              aria-hidden
              className={cx('size-4 transition-transform max-md:hidden', open && 'rotate-180')}
            />
          </Button>
          <Order form={form} />
        </div>
        <div
          id={panelId}
          className={cx(
            'mt-4 rounded-md border border-rule bg-raised p-5 sm:p-7',
            open !== 'panel' && 'hidden noscript:block',
          )}
        >
          <PanelHead query={query} />
          {fields}
          <div className="mt-6 hidden noscript:block">
            <Button type="submit">Apply filters</Button>
          </div>
        </div>
      </Form>
      <Dialog
        title="Filters"
        isSheet
        isOpen={open === 'sheet'}
        onClose={() => setOpen(null)}
        actions={
          <>
            <ClearLink query={query} />
            <Button onClick={() => setOpen(null)}>{closeLabel}</Button>
          </>
        }
      >
        {open === 'sheet' && fields}
      </Dialog>
    </>
  );
}

function ActiveBadge({ count }: { count: number }) {
  return (
    <span className="grid min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs leading-5 text-on-accent lining-nums">
      {count}
      <span className="sr-only"> active</span>
    </span>
  );
}

function PanelHead({ query }: { query: DirectoryQuery }) {
  return (
    <div className="mb-4 flex min-h-7 items-baseline justify-between gap-4">
      <h2 className="font-display text-xl">Filters</h2>
      <ClearLink query={query} />
    </div>
  );
}

/** Takes back the filters; the search and the order stay. */
function ClearLink({ query }: { query: DirectoryQuery }) {
  if (activeFilters(query) === 0) return null;
  return (
    <Link to={paths.employers(withoutFilters(query))} className="prose-link py-1 text-sm">
      Clear all filters
    </Link>
  );
}
