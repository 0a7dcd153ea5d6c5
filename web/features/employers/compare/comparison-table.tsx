import { Award } from 'lucide-react';
import { Link } from 'react-router';
import { titleCase } from '#contract/names.ts';
import { formatLocation } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { cx } from '#web/ui/cx.ts';
import { Stars } from '#web/ui/stars.tsx';
import { type Compared, type ComparedCell, comparisonRows } from './comparison-rows.ts';
import { shortlist } from './shortlist.ts';

/**
 * Employers side by side. On a phone, each row is a list with the names beside the values. The roles
 * are explicit because a table with another CSS display loses them.
 */
export function ComparisonTable({
  compared,
  specialty,
}: {
  compared: readonly Compared[];
  specialty?: string | undefined;
}) {
  const ids = compared.map(({ employer }) => employer.id);
  const names = new Map(compared.map(({ employer }) => [employer.id, titleCase(employer.name)]));
  return (
    // biome-ignore lint/a11y/noRedundantRoles: lost otherwise, with another CSS display
    <table role="table" className="w-full table-fixed border-collapse max-md:block">
      <caption className="sr-only">Employers compared</caption>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <thead role="rowgroup" className="max-md:block">
        {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
        <tr role="row" className="max-md:block">
          {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
          <td role="cell" className="w-44 max-md:hidden" />
          {compared.map(({ employer }) => (
            <th
              key={employer.id}
              // biome-ignore lint/a11y/noRedundantRoles: as above
              role="columnheader"
              scope="col"
              className="border-b border-ink py-3 pr-6 text-left align-top font-normal max-md:block max-md:border-b-0 max-md:border-t max-md:border-rule max-md:pr-0"
            >
              <Link
                to={paths.employer(employer.id)}
                className="font-display text-lg decoration-accent decoration-1 underline-offset-4 hover:underline"
              >
                {names.get(employer.id)}
              </Link>
              <span className="block text-sm text-ink-soft">
                {[employer.employer_type_display, formatLocation(employer)]
                  .filter(Boolean)
                  .join(', ')}
              </span>
              {ids.length > 1 && (
                <Link
                  to={paths.compare(
                    ids.filter((id) => id !== employer.id),
                    specialty,
                  )}
                  onClick={() => shortlist.remove(employer.id)}
                  className="prose-link inline-block py-1 text-xs"
                >
                  Remove<span className="sr-only"> {names.get(employer.id)}</span>
                </Link>
              )}
            </th>
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <tbody role="rowgroup" className="max-md:block">
        {comparisonRows(compared).map(({ label, best, cells }) => (
          // biome-ignore lint/a11y/noRedundantRoles: as above
          <tr key={label} role="row" className="border-b border-rule max-md:block max-md:py-4">
            <th
              // biome-ignore lint/a11y/noRedundantRoles: as above
              role="rowheader"
              scope="row"
              className="py-3 pr-4 text-left align-top text-sm font-normal text-ink-soft max-md:block max-md:pt-0 max-md:pb-1 max-md:font-semibold max-md:text-ink"
            >
              {label}
            </th>
            {cells.map((cell) => (
              <Cell key={cell.id} cell={cell} best={best} name={names.get(cell.id)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({
  cell: { text, rating, note, isBest },
  best,
  name,
}: {
  cell: ComparedCell;
  best: string;
  name: string | undefined;
}) {
  return (
    <td
      // biome-ignore lint/a11y/noRedundantRoles: as above
      role="cell"
      className="py-3 pr-6 align-top lining-nums max-md:flex max-md:items-baseline max-md:gap-2 max-md:py-1 max-md:pr-0"
    >
      <span aria-hidden className="min-w-0 text-sm text-ink-soft md:hidden">
        {name}
      </span>
      <span aria-hidden className="leader-dots md:hidden" />
      <span className="wrap-anywhere max-md:max-w-1/2 max-md:shrink-0 max-md:text-right">
        <span
          className={cx(
            'inline-flex flex-wrap items-baseline gap-x-2 max-md:justify-end',
            isBest && 'font-semibold',
          )}
        >
          {text ?? (
            <span className="text-ink-faint">
              <span aria-hidden>–</span>
              <span className="sr-only">Not known</span>
            </span>
          )}
          {rating !== null && (
            <span className="max-md:hidden">
              <Stars rating={rating} size="sm" />
            </span>
          )}
          {isBest && (
            <span className="inline-flex items-center gap-1 text-xs font-semibold text-accent">
              <Award aria-hidden className="size-3.5 self-center" />
              {best}
            </span>
          )}
        </span>
        {note && <span className="block text-xs text-ink-faint">{note}</span>}
      </span>
    </td>
  );
}
