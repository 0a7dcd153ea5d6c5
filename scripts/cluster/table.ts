/** One line of the table that the cluster test prints. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly isMet: boolean;
}

/** As Markdown. */
export const toTable = (rows: readonly Row[]): string =>
  [
    '| what | measured | target | |',
    '|---|---|---|---|',
    ...rows.map(
      ({ what, measured, target, isMet }) =>
        `| ${what} | ${measured} | ${target} | ${isMet ? 'met' : '**missed**'} |`,
    ),
  ].join('\n');
