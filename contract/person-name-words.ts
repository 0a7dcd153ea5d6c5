/** Splits people's names into plain letters, and lists the words that carry no meaning alone. */
import { plainLetters } from './plain-letters.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Letters that may be spelled as two instead of with an accent: "Müller", "Mueller". */
const SPELLED_OUT: Record<string, string> = {
  'a\u0308': 'ae',
  'o\u0308': 'oe',
  'u\u0308': 'ue',
  'a\u030a': 'aa',
  ø: 'oe',
  đ: 'dj',
};

/**
 * Splits a name into plain lower-case words: "O'Neill-St. John, M.D." becomes `oneill st john md`.
 * Combining marks are removed. Other scripts keep their letters and vowel signs: a Cyrillic name
 * never equals a Latin one, even if it looks the same.
 */
function fold(name: string, isSpelledOut: boolean): string[] {
  const letters = name.replaceAll('´', '').normalize('NFKD').toLowerCase();
  const spelled = isSpelledOut
    ? letters.replace(/[aou]\u0308|a\u030a|[øđ]/g, (letter) => SPELLED_OUT[letter] ?? letter)
    : letters;
  const bare = spelled
    // "J.Robert" is two words, "M.D." is one.
    .replace(/\.(?=\p{L}{2})/gu, ' ')
    .replace(/[\u0300-\u036f\u02b0-\u02ff\p{Cf}.'’‘`′]/gu, '');
  return plainLetters(bare)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The one or two ways to spell a name in plain letters. */
export function spellings(name: string): string[][] {
  const [plain, spelledOut] = [fold(name, false), fold(name, true)];
  return plain.join(' ') === spelledOut.join(' ') ? [plain] : [plain, spelledOut];
}

/** Generations: a father and a son may both be physicians. */
export const GENERATIONS: ReadonlyMap<string, string> = new Map([
  ...['jr', 'sr', 'ii', 'iii', 'iv', 'v'].map((word) => [word, word] as const),
  ['2nd', 'ii'],
  ['3rd', 'iii'],
  ['4th', 'iv'],
  ['junior', 'jr'],
  ['senior', 'sr'],
]);

/** Degrees and fellowships, without those that are also family names, such as Ma. */
export const DEGREES = words(`
  md phd mph mbbs mbchb mbbch dmd dds dpm dnp pharmd psyd msc ms mba mha mhs jd esq
  faap faafp faan faans facc facep facg facog facp facr facs faha fapa dfapa fasn fccm fccp fhm
  sfhm fidsa frcp frcpc frcs frcsc frcpsc fscai
`);

export const TITLES = words('dr prof');

/** Words before a family name that some records omit, or store as a middle name. */
export const PARTICLES = words(
  'de del della da das dos di van von vom der den ter zu al el bin ibn bint',
);

/** Particles only after another one: "de la Cruz" may be "Cruz", but "La Rosa" is not "Rosa". */
export const ARTICLES = words('la las los het');

/** Two spellings of one word, when another word follows: "Saint John", "el-Sayed". */
export const SAME_WORDS: ReadonlyMap<string, string> = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['el', 'al'],
]);
