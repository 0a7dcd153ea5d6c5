import { specialtiesMatching } from '#contract/reviews/specialty-of-title.ts';

/**
 * The options for which the typed text is another word. It has its own file because the vocabulary
 * is large and only typing into a field needs it.
 */
export function optionsByWord(options: readonly string[], typed: string): string[] {
  const found = new Set(specialtiesMatching(typed));
  return options.filter((option) => found.has(option));
}
