import { DAY_MS } from '#contract/limits.ts';

const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  day: DAY_MS,
  days: DAY_MS,
};

/** `30 s` -> 30,000. */
export function milliseconds(text = ''): number {
  const [count, unit = ''] = text.split(' ');
  return Number(count) * (MILLISECONDS[unit] ?? Number.NaN);
}
