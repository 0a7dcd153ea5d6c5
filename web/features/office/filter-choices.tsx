import type { Query } from '#contract/api-path.ts';
import { Link } from '#web/lib/link.tsx';
import { cx } from '#web/ui/cx.ts';

/** The filters in a URL. All other parameters are ignored. */
export function filtersOf<Name extends string>(url: string, names: readonly Name[]) {
  const given = new URL(url).searchParams;
  const filters = names.map((name) => [name, given.get(name) || undefined]);
  return Object.fromEntries(filters) as { [name in Name]?: string | undefined };
}

interface FilterChoicesProps {
  name: string;
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
  filters: Query;
  to: (filters: Query) => string;
}

/** Each choice of a filter is a link, so that a filtered list has a URL. */
export function FilterChoices({ name, label, choices, filters, to }: FilterChoicesProps) {
  const chosen = filters[name] ?? '';
  return (
    <div className="grid items-baseline gap-x-2 sm:grid-cols-[6rem_1fr]">
      <p aria-hidden className="label-caps text-ink-faint">
        {label}
      </p>
      {/* On a phone, one line that scrolls sideways, so that the list stays in view. */}
      <ul
        aria-label={label}
        className="relative flex gap-x-1 max-sm:-mx-(--gutter) max-sm:overflow-x-auto max-sm:px-(--gutter) max-sm:whitespace-nowrap max-sm:[scrollbar-width:none] sm:flex-wrap"
      >
        {[['', 'All'] as const, ...choices].map(([value, text]) => (
          <li key={value} ref={chosen === value ? scrollTo : null}>
            <Link
              to={to({ ...filters, [name]: value })}
              aria-current={chosen === value ? 'true' : undefined}
              className={cx(
                'inline-flex min-h-9 items-center rounded-md px-2.5 no-underline',
                chosen === value
                  ? 'bg-accent-wash font-semibold text-accent'
                  : 'text-ink-soft hover:bg-sunken hover:text-ink',
              )}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Scrolls sideways only, so that the page stays where it is. */
function scrollTo(choice: HTMLElement | null) {
  const line = choice?.parentElement;
  if (choice && line)
    line.scrollLeft = choice.offsetLeft - (line.clientWidth - choice.offsetWidth) / 2;
}
