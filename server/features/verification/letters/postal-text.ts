import { plainLetters } from '#contract/plain-letters.ts';
import type { Recipient } from './letter.ts';

/**
 * Capitals as in postal addresses (USPS Publication 28, section 2), and only characters that the
 * standard PDF fonts have.
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

/** Name, street lines, and the last line (city, state, ZIP code). */
export function addressLines({ name, lines, city, state, postal_code }: Recipient): string[] {
  return [name, ...lines, `${city} ${state} ${postal_code}`].map(postalText);
}
