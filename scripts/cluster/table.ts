/** One line of the table that the cluster test prints. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  /** Null if it was not run. */
  readonly isMet: boolean | null;
}

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
