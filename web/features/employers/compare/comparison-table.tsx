import { Fragment, type ReactNode } from 'react';
import type { ComparedEmployer } from '#contract/employer-comparison.ts';
import { REVIEWS_OF_SPECIALTY, REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { tooFew } from '#web/features/employers/brief/label.ts';
import { formatDate, formatLocation, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useRootMark } from '#web/lib/use-root-mark.ts';
import { cx } from '#web/ui/cx.ts';
import { ColumnChoice, useColumns } from './column-choice.tsx';
import { factRows, figureRows } from './comparison-rows.ts';
import { Axis, FigureCell, TOO_FEW_TO_TELL, Unknown } from './figure-cell.tsx';
import { NoteCell } from './note-cell.tsx';
import { QuoteCell } from './quote-cell.tsx';
import { shortlist } from './shortlist.ts';

interface ComparisonTableProps {
  compared: readonly ComparedEmployer[];
  specialty: string | undefined;
}

/** The employers on an axis. */
const LETTERS = 'ABCD';

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
    axis?: ReactNode,
  ) => (
    <tr key={label} {...ROLES.row} className={className}>
      <th {...ROLES.rowHeader} scope="row">
        {label}
        {note && <small>{note}</small>}
        {axis && <span className="contents">{axis}</span>}
      </th>
      {cells.map((each) => (
        <td key={each.employer.id} {...ROLES.cell} data-hidden={hiddenOnPhone(each.employer.id)}>
          {cellOf(each)}
        </td>
      ))}
    </tr>
  );
  const letterOf = (id: number) => LETTERS[ids.indexOf(id)] ?? '';
  const rated = compared.filter(({ figures }) => figures.overall_rating.reviews > 0);
  const figures = (of: readonly ComparedEmployer[], className: string | false) => (
    <tbody {...ROLES.group} className={cx('figures', className)}>
      {row('Reviews', null, (each) => reviewsOf(each, specialty), undefined, of)}
      {of.some((each) => rated.includes(each)) &&
        figureRows(of).map((one) =>
          row(
            one.label,
            one.lead,
            ({ employer }) => {
              const cell = one.cells.find(({ id }) => id === employer.id);
              return cell && <FigureCell cell={cell} />;
            },
            undefined,
            of,
            <Axis row={one} letterOf={letterOf} />,
          ),
        )}
    </tbody>
  );
  const allFigures = (
    <Fragment key="figures">
      {figures(compared, hasHidden && 'phone:hidden noscript:phone:block')}
      {/* On a phone, differences, order, and "Best" are those of the two that it shows. */}
      {hasHidden && figures(shown, 'hidden phone:block noscript:hidden!')}
    </Fragment>
  );
  const facts = factRows(compared).map(({ label, cells }) =>
    row(
      label,
      null,
      ({ employer }) => cells.find(({ id }) => id === employer.id)?.text ?? <Unknown />,
    ),
  );
  const factsBody = (
    <tbody key="facts" {...ROLES.group}>
      {facts}
    </tbody>
  );
  // Without two employers to compare by their ratings, the facts are what there is.
  const factsFirst = rated.length < 2;
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
                  {ids.length > 1 && (
                    <b aria-hidden className="letter">
                      {letterOf(employer.id)}
                    </b>
                  )}
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
          {factsFirst ? [factsBody, allFigures] : allFigures}
          <tbody {...ROLES.group}>
            {rated.length > 0 &&
              (['pro', 'con'] as const).map((kind) =>
                row(
                  kind === 'pro' ? 'A pro' : 'A con',
                  `From the most helpful review that lists a ${kind}`,
                  (each) => (
                    <QuoteCell quote={each[kind]} kind={kind} name={nameOf(each.employer.id)} />
                  ),
                ),
              )}
            {!factsFirst && facts}
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
                    className="prose-link inline-block py-1"
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

/** All reviews of an employer, or of a specialty there. The rows below refer to it. */
function reviewsOf({ figures, newest_review_on }: ComparedEmployer, specialty: string | undefined) {
  const { value, reviews } = figures.overall_rating;
  if (reviews === 0) return specialty ? `No reviews by ${specialty} yet` : 'No reviews yet';
  return (
    <>
      {plural(reviews, 'review')}
      <span className="made-from">
        {newest_review_on && <span>newest {formatDate(newest_review_on)}</span>}
        {reviews < REVIEWS_TO_COMPARE && (
          <span> {value === null ? tooFew(REVIEWS_OF_SPECIALTY) : TOO_FEW_TO_TELL}</span>
        )}
      </span>
    </>
  );
}
