/** Enough to look through; typing on finds the others. */
const MOST_SHOWN = 50;

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The options with the typed text in them: first those that begin with it. */
export function matchOptions(options: readonly string[], typed: string): string[] {
  const wanted = fold(typed.trim());
  const found = options.filter((option) => fold(option).includes(wanted));
  const begin = (option: string) => fold(option).startsWith(wanted);
  return [...found.filter(begin), ...found.filter((option) => !begin(option))].slice(0, MOST_SHOWN);
}

/** What was typed in full, or is the only one left. */
export function pickOption(options: readonly string[], typed: string): string | undefined {
  const wanted = fold(typed.trim());
  const matches = matchOptions(options, typed);
  return matches.find((option) => fold(option) === wanted) ?? (matches[1] ? undefined : matches[0]);
}
