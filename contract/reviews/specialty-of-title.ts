import { plainLetters } from '../plain-letters.ts';
import { SPECIALTIES } from '../specialties.ts';

/** Words that names may have or omit. */
const SMALL_WORDS = new Set(['and', 'of', 'the']);

/** "Ob/Gyn Hospitalist" becomes ["ob", "gyn", "hospitalist"]. */
const wordsOf = (text: string): string[] =>
  plainLetters(text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''))
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '' && !SMALL_WORDS.has(word));

/** Every name and alias, as plain words. Names come first, so no alias replaces one. */
const PHRASES = new Map<string, string>();
for (const kind of ['name', 'aliases'] as const) {
  for (const specialty of SPECIALTIES) {
    for (const phrase of [specialty[kind]].flat()) {
      const key = wordsOf(phrase).join(' ');
      if (!PHRASES.has(key)) PHRASES.set(key, specialty.name);
    }
  }
}
const LONGEST = Math.max(...[...PHRASES.keys()].map((phrase) => phrase.split(' ').length));

/**
 * The specialty that a position title names, or null. The longest phrase wins, then the first: a
 * "Pediatric Emergency Physician" is not a pediatrician.
 */
export function specialtyOfTitle(title: string): string | null {
  const words = wordsOf(title);
  for (let length = Math.min(LONGEST, words.length); length > 0; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const found = PHRASES.get(words.slice(at, at + length).join(' '));
      if (found) return found;
    }
  }
  return null;
}

const DOCTOR = /^(?:doctors?|physicians?)$/;

/** The specialty that all these words name, with or without "doctor": "gi", "cardiology doctor". */
export function specialtyNamed(words: readonly string[]): string | null {
  const named = wordsOf(words.join(' '));
  const without = named.filter((word) => !DOCTOR.test(word));
  return PHRASES.get(named.join(' ')) ?? PHRASES.get(without.join(' ')) ?? null;
}

/** The specialties with a name or alias that has all these words as word prefixes. */
export function specialtiesMatching(text: string): string[] {
  const typed = wordsOf(text);
  return SPECIALTIES.filter(({ name, aliases }) =>
    [name, ...aliases].some((phrase) => {
      const words = wordsOf(phrase);
      return typed.every((one) => words.some((word) => word.startsWith(one)));
    }),
  ).map(({ name }) => name);
}
