import { plainLetters } from '#contract/plain-letters.ts';
import type { Recipient } from './letter.ts';

/**
 * As a letter is addressed (USPS Publication 28, section 2): capitals, and no characters that the
 * standard fonts of PDF lack. The registry itself has few others.
 */
export function postalText(text: string): string {
  return plainLetters(text.toLowerCase())
    .normalize('NFKD')
    .toUpperCase()
    .replace(/\p{M}/gu, '')
    .replace(/[’‘`´]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^\x20-\x7E]/g, '?')
    .replace(/ +/g, ' ')
    .trim();
}

/** Name, street lines, and the last line: city, state and ZIP code with a space between them. */
export function addressLines({ name, lines, city, state, postal_code }: Recipient): string[] {
  return [name, ...lines, `${city} ${state} ${postal_code}`].map(postalText);
}
