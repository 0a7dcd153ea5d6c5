import { SlidersHorizontal, X } from 'lucide-react';
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { Criteria } from './criteria.ts';
import type { ListForm } from './use-list-form.ts';

interface ChosenFiltersProps {
  form: ListForm;
  /** The id of the list's heading, which gets the focus. */
  headingId: string;
}

/** A chip for each filter that is set, which removes it. Links, so they work without script. */
export function ChosenFilters({ form, headingId }: ChosenFiltersProps) {
  const chosen = form.listing.chosenFilters(form.values);
  if (chosen.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {chosen.map(({ label, without }) => (
        <li key={label}>
          <FilterChip form={form} to={without} headingId={headingId} does="Remove filter:">
            {label}
          </FilterChip>
        </li>
      ))}
      <li>
        <ClearFilters
          form={form}
          headingId={headingId}
          className="prose-link inline-block py-1 text-sm"
        />
      </li>
    </ul>
  );
}

interface FilterChipProps extends Pick<CriteriaLinkProps, 'form' | 'to' | 'headingId'> {
  /** What the link does, for screen readers. */
  does: string;
  /** The value. */
  children: string;
}

/** A filter that is set, as a link that removes it. */
export const FilterChip = ({ does, children, ...link }: FilterChipProps) => (
  <CriteriaLink
    {...link}
    className="inline-flex min-h-9 items-center gap-1.5 rounded-sm bg-accent-wash px-2.5 text-sm text-ink hover:bg-sunken print:px-0"
  >
    <span className="sr-only">{does} </span>
    {children}
    <X aria-hidden className="size-3.5 text-ink-faint print:hidden" />
  </CriteriaLink>
);

/** Keeps the search and the order. Renders nothing if no filter is set. */
export function ClearFilters({
  form,
  ...rest
}: {
  form: ListForm;
  headingId?: string;
  className: string;
}) {
  const { listing, values } = form;
  if (listing.chosenFilters(values).length === 0) return null;
  return (
    <CriteriaLink {...rest} form={form} to={listing.withoutFilters(values)}>
      Clear all filters
    </CriteriaLink>
  );
}

interface CriteriaLinkProps {
  form: ListForm;
  to: Criteria;
  className: string;
  headingId?: string;
  /** Also scrolls to the heading, for a link far above it. */
  leadsToHeading?: true;
  /** The link stands for the current choice, and clears it. */
  isCurrent?: boolean;
  children: ReactNode;
}

/** A link to the list with other criteria. With script, it changes the form. */
export function CriteriaLink(props: CriteriaLinkProps) {
  const { form, to, headingId, leadsToHeading, isCurrent, className, children } = props;
  function follow(event: MouseEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    form.replace(to);
    // The link disappears with its filter, so the heading gets the focus. (A filter sheet traps
    // it.)
    const heading = headingId ? document.getElementById(headingId) : null;
    heading?.focus({ preventScroll: true });
    if (leadsToHeading) heading?.scrollIntoView();
  }
  return (
    <a
      href={form.listing.path(to) + (leadsToHeading ? `#${headingId}` : '')}
      aria-current={isCurrent || undefined}
      onClick={follow}
      className={className}
    >
      {children}
    </a>
  );
}

export function FilterToggle({
  count,
  children,
  ...rest
}: ComponentPropsWithRef<'button'> & { count: number }) {
  return (
    <Button {...rest} variant="secondary" className="min-h-12 px-4 noscript:hidden">
      <SlidersHorizontal aria-hidden className="size-4" />
      Filters
      {count > 0 && (
        <span className="grid min-w-6 place-items-center rounded-full bg-accent px-1.5 text-xs leading-6 text-on-accent lining-nums">
          {count}
          <span className="sr-only"> active</span>
        </span>
      )}
      <span className="contents">{children}</span>
    </Button>
  );
}
