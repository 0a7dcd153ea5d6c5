/** Letters that do not decompose into a base letter and an accent. */
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

/** Lower-case letters, without accents. */
export const plainLetters = (text: string): string =>
  text.replace(/[ßæœøłđðþħı]/g, (letter) => LETTERS[letter] ?? letter);
