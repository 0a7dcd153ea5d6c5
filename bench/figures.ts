/** A measurement and its target. */
export interface Figure {
  readonly what: string;
  /** Null if it could not be measured here; `note` says why. */
  readonly measured: number | null;
  readonly unit?: string;
  readonly target: { readonly atLeast: number } | { readonly atMost: number };
  readonly note?: string;
}

/** Formats the figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, measured, unit = '', target, note = '' } = figure;
    const aim = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
    const value = measured === null ? 'not measured' : `${round(measured)}${unit}`;
    return [what, `${aim}${unit}`, value, verdictOf(figure), note];
  });
  const lines = [['figure', 'target', 'measured', 'met', ''], Array(5).fill('---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function verdictOf({ measured, target }: Figure): string {
  if (measured === null) return '';
  const isMet = 'atLeast' in target ? measured >= target.atLeast : measured <= target.atMost;
  return isMet ? 'yes' : '**no**';
}

const round = (value: number) => Number(value.toPrecision(3)).toString();

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = low] = sorted.slice(sorted.length % 2 ? middle : middle - 1);
  return sorted.length % 2 ? low : (low + high) / 2;
}
