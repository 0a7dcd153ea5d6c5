import { useState } from 'react';
import { cx } from '#web/ui/cx.ts';

/** How many employers a phone shows side by side. */
const PHONE_COLUMNS = 2;

export interface Columns {
  isShown: (id: number) => boolean;
  show: (id: number) => void;
}

/** The columns that a phone shows: the two chosen last. */
export function useColumns(ids: readonly number[]): Columns {
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
export function ColumnChoice({ columns, ids, nameOf }: ColumnChoiceProps) {
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
