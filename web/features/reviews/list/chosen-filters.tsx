import { X } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { paths } from '#web/lib/paths.ts';
import { choicesOf, type Filters, withoutChoices } from './filters.ts';

/** The heading of the list that the filters narrow. */
export const LIST_HEADING_ID = 'reviews-heading';

interface ChosenFiltersProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** What is chosen, each with its way back: links, which work without script too. */
export function ChosenFilters({ filters, onChange }: ChosenFiltersProps) {
  const choices = choicesOf(filters);
  if (choices.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {choices.map(({ label, without }) => (
        <li key={label}>
          <FilterLink
            to={without}
            onChange={onChange}
            className="inline-flex min-h-9 items-center gap-1.5 rounded-sm bg-accent-wash px-2.5 text-sm text-ink hover:bg-sunken"
          >
            <span className="sr-only">Remove filter: </span>
            {label}
            <X aria-hidden className="size-3.5 text-ink-faint" />
          </FilterLink>
        </li>
      ))}
      <li>
        <FilterLink to={withoutChoices(filters)} onChange={onChange} className="prose-link text-sm">
          Clear all filters
        </FilterLink>
      </li>
    </ul>
  );
}

/** To the list with other filters; with script, a change of the form. */
export function FilterLink({
  to,
  onChange,
  className,
  children,
}: {
  to: Filters;
  onChange: (filters: Filters) => void;
  className: string;
  children: ReactNode;
}) {
  function follow(event: MouseEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChange(to);
    // The link goes with its filter: the list is what comes next. (Not so in the sheet, which
    // keeps the focus to itself.)
    document.getElementById(LIST_HEADING_ID)?.focus({ preventScroll: true });
  }
  return (
    <a href={paths.reviews(to)} onClick={follow} className={className}>
      {children}
    </a>
  );
}
