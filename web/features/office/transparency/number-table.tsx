import type { ReactNode } from 'react';

interface NumberTableProps {
  caption: string;
  /** The last column has the numbers. */
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  total: string;
}

/** Stacks the cells if large text leaves no room for columns. */
const ROW = 'border-b border-rule max-[16rem]:block max-[16rem]:py-2';
const CELL =
  'py-2 pr-4 text-left align-top last:pr-0 last:whitespace-nowrap min-[16rem]:last:text-right ' +
  'max-[16rem]:block max-[16rem]:py-0';

/** A table of numbers with their total, or a line of text if there are none. */
export function NumberTable({ caption, head, rows, total }: NumberTableProps) {
  if (rows.length === 0) return <p>{caption}: none.</p>;
  return (
    <table className="w-full text-sm max-[16rem]:block">
      <caption className="pb-1 text-left font-semibold text-ink">{caption}</caption>
      <thead>
        <tr className={ROW}>
          {head.map((name) => (
            <th key={name} scope="col" className={CELL}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
          <tr key={place} className={ROW}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nor do the columns
              <td key={column} className={CELL}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className={ROW}>
          <th scope="row" colSpan={head.length - 1} className={CELL}>
            Total
          </th>
          <td className={CELL}>{total}</td>
        </tr>
      </tfoot>
    </table>
  );
}
