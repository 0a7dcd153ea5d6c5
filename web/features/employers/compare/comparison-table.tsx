import type { ReactNode } from 'react';
import type { ComparedEmployer } from '#contract/employer-comparison.ts';
import { titleCase } from '#contract/names.ts';
import { formatLocation } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useRootMark } from '#web/lib/use-root-mark.ts';
import { cx } from '#web/ui/cx.ts';
import { ColumnChoice, useColumns } from './column-choice.tsx';
import { factRows, figureRows } from './comparison-rows.ts';
import { FigureCell, Unknown } from './figure-cell.tsx';
import { NoteCell } from './note-cell.tsx';
import { QuoteCell } from './quote-cell.tsx';
import { shortlist } from './shortlist.ts';

interface ComparisonTableProps {
  compared: readonly ComparedEmployer[];
  specialty: string | undefined;
}

/** A table loses its ARIA roles when CSS changes its display, so the roles are explicit. */
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  columnHeader: { role: 'columnheader' },
  rowHeader: { role: 'rowheader' },
} as const;

/** Employers side by side (web/styles/comparison.css). */
export function ComparisonTable({ compared, specialty }: ComparisonTableProps) {
  const ids = compared.map(({ employer }) => employer.id);
  const columns = useColumns(ids);
  useRootMark('printed', ids.length > 2 ? 'dense' : undefined);
  const names = new Map(compared.map(({ employer }) => [employer.id, titleCase(employer.name)]));
  const nameOf = (id: number) => names.get(id) ?? '';
  const hiddenOnPhone = (id: number) => (columns.isShown(id) ? undefined : true);
  const shown = compared.filter(({ employer }) => columns.isShown(employer.id));
  const hasHidden = shown.length < compared.length;
  const row = (
    label: string,
    note: ReactNode,
    cellOf: (each: ComparedEmployer) => ReactNode,
    className?: string,
    cells = compared,
  ) => (
    <tr key={label} {...ROLES.row} className={className}>
      <th {...ROLES.rowHeader} scope="row">
        {label}
        {note && <small>{note}</small>}
      </th>
      {cells.map((each) => (
        <td key={each.employer.id} {...ROLES.cell} data-hidden={hiddenOnPhone(each.employer.id)}>
          {cellOf(each)}
        </td>
      ))}
    </tr>
  );
  const figures = (of: readonly ComparedEmployer[], className: string | false) => (
    <tbody {...ROLES.group} className={cx('figures', className)}>
      {figureRows(of).map(({ label, difference, cells }) =>
        row(
          label,
          difference,
          ({ employer, newest_review_on: newest }) => {
            const cell = cells.find(({ id }) => id === employer.id);
            return cell && <FigureCell cell={cell} newest={newest} />;
          },
          undefined,
          of,
        ),
      )}
    </tbody>
  );
  return (
    <>
      <ColumnChoice columns={columns} ids={ids} nameOf={nameOf} />
      {/* Positioned, so that it also clips the `sr-only` texts inside. */}
      <div className="relative noscript:overflow-x-auto">
        <table {...ROLES.table} className="comparison">
          <caption className="sr-only">Employers compared</caption>
          <thead {...ROLES.group}>
            <tr {...ROLES.row}>
              <td {...ROLES.cell} />
              {compared.map(({ employer }) => (
                <th
                  key={employer.id}
                  {...ROLES.columnHeader}
                  scope="col"
                  data-hidden={hiddenOnPhone(employer.id)}
                >
                  <Link
                    to={paths.employer(employer.id)}
                    className="font-display text-lg decoration-accent decoration-1 underline-offset-4 hover:underline phone:line-clamp-3 phone:text-sm phone:leading-4.5 phone:hyphens-auto"
                  >
                    {nameOf(employer.id)}
                  </Link>
                  <span className="block text-xs text-ink-soft">
                    {[formatLocation(employer), employer.employer_type_display]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {figures(compared, hasHidden && 'phone:hidden noscript:phone:block')}
          {/* On a phone, differences, order, and "Best" are those of the two that it shows. */}
          {hasHidden && figures(shown, 'hidden phone:block noscript:hidden!')}
          <tbody {...ROLES.group}>
            {(['pro', 'con'] as const).map((kind) =>
              row(
                kind === 'pro' ? 'A pro' : 'A con',
                `From the most helpful review that lists a ${kind}`,
                (each) => (
                  <QuoteCell quote={each[kind]} kind={kind} name={nameOf(each.employer.id)} />
                ),
              ),
            )}
            {factRows(compared).map(({ label, cells }) =>
              row(
                label,
                null,
                ({ employer }) => cells.find(({ id }) => id === employer.id)?.text ?? <Unknown />,
              ),
            )}
            {row(
              'Your notes',
              <span className="print:hidden">Only in this browser. Nobody else sees them.</span>,
              ({ employer: { id } }) => (
                <NoteCell id={id} name={nameOf(id)} />
              ),
              'notes noscript:hidden!',
            )}
            {ids.length > 1 &&
              row(
                'Remove',
                null,
                ({ employer: { id } }) => (
                  <Link
                    to={paths.compare(
                      ids.filter((other) => other !== id),
                      specialty,
                    )}
                    onClick={() => shortlist.remove(id)}
                    className="prose-link"
                  >
                    Remove<span className="sr-only"> {nameOf(id)}</span>
                  </Link>
                ),
                'print:hidden',
              )}
          </tbody>
        </table>
      </div>
    </>
  );
}
