import type { ReactNode } from 'react';
import type { Employer } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { formatLocation } from '#web/lib/format.ts';
import { PrintedFrom } from '#web/lib/printed-from.tsx';
import { FilterChip } from '#web/listing/chosen-filters.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';

interface EmployerHeadingProps {
  employer: Employer;
  form: ListForm;
  /** The actions for visitors. */
  children: ReactNode;
}

/** The name, place, type, and the chosen specialty. Compact on a phone, so that the ratings fit on the first screen. */
export function EmployerHeading({ employer, form, children }: EmployerHeadingProps) {
  const place = formatLocation(employer);
  const type = employer.employer_type_display;
  const { specialty, ...others } = form.values;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 print:pt-0 pt-7 pb-3 md:pt-16 md:pb-4 lg:grid lg:grid-cols-[minmax(0,1fr)_auto] lg:items-end">
      <h1 className="font-display text-3xl leading-tight tracking-[-0.012em] wrap-anywhere max-lg:basis-full">
        {titleCase(employer.name)}
      </h1>
      <p className="text-ink-soft max-sm:min-w-20 max-sm:flex-1 max-sm:text-sm lg:row-start-2">
        {place || type}
        {/* On a phone, the overview names it. */}
        {place && <span className="max-sm:hidden"> · {type}</span>}
      </p>
      {specialty && (
        <p className="max-lg:order-last max-lg:basis-full">
          <FilterChip form={form} to={others} does="Show all specialties instead of">
            {specialty}
          </FilterChip>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3 lg:justify-end lg:row-span-2 lg:row-start-1">
        {children}
      </div>
      <div className="hidden basis-full print:block">
        <PrintedFrom />
      </div>
    </div>
  );
}
