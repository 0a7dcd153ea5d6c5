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
  ħ: 'h',
  ı: 'i',
};

/** Small letters without those that have no accent to lose. */
export const plainLetters = (text: string): string =>
  text.replace(/[ßæœøłđðþħı]/g, (letter) => LETTERS[letter] ?? letter);
