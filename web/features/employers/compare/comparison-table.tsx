import { Fragment, type ReactNode, useId, useState } from 'react';
import type { ComparedEmployer, Quote } from '#contract/employers/employer-comparison.ts';
import { NOTE_MAX, REVIEWS_OF_SPECIALTY, REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { tooFew } from '#web/features/employers/insights/label.ts';
import { formatDate, formatLocation, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import {
  browserEvents,
  browserStorage,
  DRAFT_PREFIX,
  isRoomFor,
  type KeyValueStorage,
  storedText,
  useStore,
} from '#web/lib/store.ts';
import { useRootMark } from '#web/lib/use-root-mark.ts';
import { cx } from '#web/ui/cx.ts';
import { TextArea } from '#web/ui/inputs.tsx';
import { shortlist } from './compare-tray.tsx';
import { factRows, figureRows } from './comparison-rows.ts';
import { Axis, FigureCell, TOO_FEW_TO_TELL, Unknown } from './figure-cell.tsx';

/** How many employers a phone shows side by side. */
const PHONE_COLUMNS = 2;

interface Columns {
  isShown: (id: number) => boolean;
  show: (id: number) => void;
}

/** The columns that a phone shows: the two chosen last. */
function useColumns(ids: readonly number[]): Columns {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const known = chosen.filter((id) => ids.includes(id));
  const shown = [...known, ...ids.filter((id) => !known.includes(id))].slice(0, PHONE_COLUMNS);
  const isShown = (id: number) => shown.includes(id);
  return {
    isShown,
    show: (id) => setChosen([id, ...shown.filter((other) => other !== id)].slice(0, PHONE_COLUMNS)),
  };
}

interface ColumnChoiceProps {
  columns: Columns;
  ids: readonly number[];
  nameOf: (id: number) => string;
}

/** Shown on a phone if there are more than two employers. */
function ColumnChoice({ columns, ids, nameOf }: ColumnChoiceProps) {
  if (ids.length <= PHONE_COLUMNS) return null;
  return (
    <fieldset className="hidden pb-3 phone:block noscript:phone:hidden">
      <legend className="pb-2 text-sm font-semibold">Two of {ids.length} side by side</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-2">
        {ids.map((id) => (
          <button
            key={id}
            type="button"
            aria-pressed={columns.isShown(id)}
            onClick={() => columns.show(id)}
            className={cx(
              'min-h-11 rounded-md border border-control px-3 py-1.5 text-left text-sm leading-4.5 hyphens-auto wrap-anywhere',
              'aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent',
            )}
          >
            {nameOf(id)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Has the prefix of drafts, so that signing out and deleting the account also remove the notes. */
const KEY = `${DRAFT_PREFIX}employer-notes`;

/** Private notes, by employer. They are stored in this browser and never sent. */
export function createNotes(storage: KeyValueStorage, events: EventTarget) {
  const stored = storedText(KEY, storage, events);
  return {
    ...stored,
    of: (id: number) => parse(stored.get())[id] ?? '',
    /** Returns false if the storage is full. */
    write(id: number, note: string): boolean {
      const { [id]: _, ...others } = parse(stored.get());
      const notes = note.trim() === '' ? others : { ...others, [id]: note.slice(0, NOTE_MAX) };
      const text = Object.keys(notes).length > 0 ? JSON.stringify(notes) : null;
      return isRoomFor(() => stored.set(text));
    },
  };
}

/** The visitor's storage may contain anything. */
function parse(text: string | null): Readonly<Record<string, string>> {
  try {
    const notes: unknown = JSON.parse(text ?? '{}');
    return Object.fromEntries(
      Object.entries(notes ?? {}).filter(
        ([id, note]) => /^\d+$/.test(id) && typeof note === 'string',
      ),
    );
  } catch {
    return {};
  }
}

const notes = createNotes(browserStorage, browserEvents);

const useNote = (id: number) => useStore(notes, (text) => parse(text)[id] ?? '');

/** An editable note, printed as plain text. */
function NoteCell({ id, name }: { id: number; name: string }) {
  const stored = useNote(id);
  /** What was typed, if the storage is full. */
  const [unsaved, setUnsaved] = useState<string | null>(null);
  const errorId = useId();
  const note = unsaved ?? stored;
  return (
    <>
      <TextArea
        aria-label={`Your note on ${name}`}
        aria-describedby={unsaved === null ? undefined : errorId}
        autoComplete="off"
        maxLength={NOTE_MAX}
        value={note}
        onChange={({ target: { value } }) => setUnsaved(notes.write(id, value) ? null : value)}
        className="max-w-72 print:hidden"
      />
      {unsaved !== null && (
        <p id={errorId} role="alert" className="mt-1 text-sm text-danger print:hidden">
          Not saved: this browser’s storage is full. Copy this note before you leave.
        </p>
      )}
      {note !== '' && <span className="hidden whitespace-pre-wrap print:block">{note}</span>}
    </>
  );
}

interface QuoteCellProps {
  quote: Quote | null;
  kind: 'pro' | 'con';
  name: string;
}

/** An excerpt of a review, with a link to the whole review. */
function QuoteCell({ quote, kind, name }: QuoteCellProps) {
  if (!quote) return <Unknown />;
  return (
    <>
      <q className="block max-w-72">{quote.excerpt}</q>
      <Link
        to={paths.review(quote.review_id)}
        className="prose-link inline-block py-1 text-xs print:hidden"
      >
        Read the review
        <span className="sr-only">
          {' '}
          with this {kind} about {name}
        </span>
      </Link>
    </>
  );
}

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
