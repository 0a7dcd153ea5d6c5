import type { Recipient } from './letter.ts';

/** Letters that do not come apart into a base letter and an accent. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * As a letter is addressed (USPS Publication 28, section 2): capitals, and no characters that the
 * standard fonts of PDF lack. The registry itself has few others.
 */
export function postalText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
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
