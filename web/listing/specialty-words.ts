import { specialtiesMatching } from '#contract/specialty-of-title.ts';

/**
 * The options that have another word for the typed one. On its own, since the vocabulary is large and
 * only typing into a field needs it.
 */
export function optionsByWord(options: readonly string[], typed: string): string[] {
  const found = new Set(specialtiesMatching(typed));
  return options.filter((option) => found.has(option));
}
