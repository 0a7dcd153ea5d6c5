import { read } from '../../../scripts/docs/markdown.ts';
import type { AttackedSite } from './attacked-site.ts';
import { type Best, CERTAIN, learn } from './measure.ts';
import { type KeyName, keySets } from './thief.ts';
import { type Cohort, reviewsOf } from './truth.ts';

/** What every set of keys reveals. docs/anonymity.md has the most important rows. */
export const DOCUMENT = 'docs/evidence/keys.json';
export const COHORTS = ['unlocked', 'locked'] as const satisfies readonly Cohort[];

export type MeasuredRow = Readonly<Record<(typeof COLUMNS)[number], string>>;
const COLUMNS = [
  'keys',
  'review reveals account',
  'account reveals person',
  'guessed before the rewrite',
  'guessed after it',
] as const;

/** What each set of keys reveals about a cohort's reviews, in the form of the document. */
export function measureAll(site: AttackedSite, cohort: Cohort): MeasuredRow[] {
  const target = reviewsOf(site, cohort);
  const learned = keySets().map((holds) => ({
    holds,
    before: learn(site, site.before, holds, target).best,
    after: learn(site, site.after, holds, target),
  }));
  return learned.map(({ holds, after }) => {
    // A thief with more keys also learns what fewer keys reveal.
    const within = learned.filter((fewer) => fewer.holds.every((key) => holds.includes(key)));
    return {
      keys: nameOf(holds),
      'review reveals account': share(after.accounts),
      'account reveals person': share(after.people),
      'guessed before the rewrite': guessed(within.map(({ before }) => before)),
      'guessed after it': guessed(within.map((fewer) => fewer.after.best)),
    };
  });
}

const nameOf = (holds: readonly KeyName[]) =>
  holds.length === 0 ? 'no key' : holds.map((name) => `\`${name}\``).join(', ');

const percent = (part: number) => `${Math.round(100 * part)} %`;
const share = (part: number) => (part === 0 ? 'none' : part === 1 ? 'all' : percent(part));
function guessed(best: readonly Best[]): string {
  const certain = best.filter(({ byChance }) => byChance < CERTAIN);
  if (certain.length === 0) return 'as chance';
  return share(Math.max(...certain.map(({ amongFive }) => amongFive)));
}

export const documentedRows = (cohort: Cohort): MeasuredRow[] => JSON.parse(read(DOCUMENT))[cohort];

/** Shares within this many points count as equal. Runs differ in their random ids and keys. */
const TOLERANCE = 15;
/** Guesses vary more: each is the best of thousands of comparisons among about 70 authors. */
const TOLERANCE_OF_GUESSES = 35;

/** The measured rows, with the documented shares where they are within the tolerance. */
export function asDocumented(
  measured: readonly MeasuredRow[],
  documented: readonly Readonly<Record<string, string>>[],
) {
  return measured.map((row, at) =>
    Object.fromEntries(
      Object.entries(row).map(([column, cell]) => {
        const before = documented[at]?.[column] ?? '';
        const points = column.startsWith('guessed') ? TOLERANCE_OF_GUESSES : TOLERANCE;
        return [column, isNear(cell, before, points) ? before : cell];
      }),
    ),
  );
}

function isNear(one: string, other: string, points: number): boolean {
  const [a, b] = [one, other].map((text) => Number(/^(\d+) %$/.exec(text)?.[1] ?? Number.NaN));
  return a !== undefined && b !== undefined && Math.abs(a - b) <= points;
}
