/** One line of the table that the cluster test prints. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  /** Null if it was not run. */
  readonly isMet: boolean | null;
}

/** A row that meets its target if it is equal, unless `isMet` says otherwise. */
export const row = (
  what: string,
  measured: string | number,
  target: string | number,
  isMet: boolean | null = measured === target,
): Row => ({ what, measured: String(measured), target: String(target), isMet });

export const secondsSince = (began: number): number => (performance.now() - began) / 1000;

/** A time that may be up to `most` seconds. */
export const duration = (what: string, seconds: number, most: number): Row =>
  row(what, `${seconds.toFixed(1)} s`, `${most} s`, seconds <= most);

/** As Markdown. */
export const toTable = (rows: readonly Row[]): string =>
  [
    '| what | measured | target | |',
    '|---|---|---|---|',
    ...rows.map(
      ({ what, measured, target, isMet }) =>
        `| ${what} | ${measured} | ${target} | ${target === 'none' ? '' : verdict(isMet)} |`,
    ),
  ].join('\n');

const verdict = (isMet: Row['isMet']) =>
  isMet === null ? 'not run' : isMet ? 'met' : '**missed**';
