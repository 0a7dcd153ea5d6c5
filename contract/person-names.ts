import { plainLetters } from './plain-letters.ts';

export interface PersonName {
  readonly first: string;
  readonly last: string;
}

interface AccountName {
  readonly first_name: string;
  readonly last_name: string;
}

/** An account's name, in the form used here. */
export const personName = (account: AccountName): PersonName => ({
  first: account.first_name,
  last: account.last_name,
});

/** Whether two accounts have the same name, letter for letter. */
export const isSpelledAlike = (one: AccountName, other: AccountName): boolean =>
  one.first_name === other.first_name && one.last_name === other.last_name;

/**
 * Whether two spellings are the same person's name, allowing for how registries write names: case,
 * accents, punctuation, spacing, middle names, particles, and suffixes are ignored. When in doubt,
 * it returns false, because the doctor sees the registry's name and can type that. So half of a
 * double surname does not match, because the halves are common ("Maria Garcia"), and neither do
 * nicknames. It does not stop impostors, who can look up the registry's name; only a proof does.
 */
export function isSameName(one: PersonName, other: PersonName): boolean {
  const others = readingsOf(other);
  return readingsOf(one).some((left) => others.some((right) => agree(left, right)));
}

/**
 * Whether a name matches one of a person's names in a registry, current name first. It must match
 * one name as a whole, or combine the family names of two: many married people use both, and the
 * registry lists the former one as another name.
 */
export function isNameOf(names: readonly PersonName[], given: PersonName): boolean {
  if (names.some((name) => isSameName(name, given))) return true;
  const [current, ...others] = names;
  if (!current) return false;
  const withSameFirst = others.filter((other) =>
    isSameName({ first: other.first, last: current.last }, current),
  );
  return withSameFirst.some(({ last }) =>
    [`${current.last} ${last}`, `${last} ${current.last}`].some((both) =>
      isSameName({ first: current.first, last: both }, given),
    ),
  );
}

/** The words of a first or last name, and the generation after them. */
interface Part {
  readonly words: readonly string[];
  readonly generation: string | undefined;
}

/** One way to read a name. */
interface Reading {
  readonly first: Part;
  readonly last: Part;
}

function readingsOf(name: PersonName): Reading[] {
  const firsts = spellings(name.first).map((words) => partOf(withoutTitle(words), []));
  const [, ...suffixes] = name.last.split(',');
  // Capitals after a comma are degrees, because nobody can list all fellowships. "M. D." is spaced.
  const capitals = suffixes.join(' ').match(CAPITALS) ?? [];
  const degrees = capitals.map((word) => word.replaceAll('.', '').toLowerCase());
  // "Do" is a family name and a degree. After punctuation it is the degree.
  if (/[.,]/.test(name.last)) degrees.push('do');
  const lasts = spellings(name.last).map((words) => partOf(words, ['v', ...degrees]));
  return firsts
    .flatMap((first) => lasts.map((last) => ({ first, last })))
    .filter(({ first, last }) => first.words.length > 0 && last.words.length > 0)
    .flatMap((reading) => [reading, ...withInitialMoved(reading)]);
}

const withoutTitle = (words: string[]) =>
  words.length > 1 && TITLES.has(words[0] ?? '') ? words.slice(1) : words;

/** Removes suffixes. A "V" after a first name is an initial. */
function partOf(words: readonly string[], also: readonly string[]): Part {
  let end = words.length;
  let generation: string | undefined;
  // The first word is never a suffix.
  for (; end > 1; end--) {
    const word = words[end - 1] ?? '';
    const isGeneration = GENERATIONS.has(word) && (word !== 'v' || also.includes('v'));
    if (!isGeneration && !DEGREES.has(word) && !also.includes(word)) break;
    if (isGeneration) generation = GENERATIONS.get(word);
  }
  return { words: words.slice(0, end), generation };
}

/** Also reads "Mary | A. Smith" as "Mary A. | Smith"; not "O Neill", "D Angelo", "L Heureux". */
function withInitialMoved({ first, last }: Reading): Reading[] {
  const [initial = '', ...rest] = last.words;
  if (rest.length === 0 || initial.length > 1 || /[odl]/.test(initial)) return [];
  return [
    { first: { ...first, words: [...first.words, initial] }, last: { ...last, words: rest } },
  ];
}

function agree(one: Reading, other: Reading): boolean {
  const [left, right] = [one, other].map(({ first, last }) => last.generation ?? first.generation);
  if (left && right && left !== right) return false;
  if (sameFirst(one.first.words, other.first.words)) {
    if (sameLast(one.last.words, other.last.words)) return true;
  }
  // Same words, but the middle one is in the other field.
  return allWords(one) === allWords(other);
}

const allWords = ({ first, last }: Reading) => [...first.words, ...canonical(last.words)].join(' ');

/** Whether two first names match. Either may continue with middle names or initials. */
function sameFirst(one: readonly string[], other: readonly string[]): boolean {
  if (one.join('') === other.join('')) return true;
  return (
    startsWith(one, other) ||
    startsWith(other, one) ||
    agreeInInitials(one, other) ||
    goesByMiddleName(one, other) ||
    goesByMiddleName(other, one)
  );
}

/** "Mary Ann Louise" starts with "Maryann". Initials alone are not enough. */
function startsWith(long: readonly string[], short: readonly string[]): boolean {
  const joined = short.join('');
  let start = 0;
  for (const word of long) {
    if (start === joined.length || !joined.startsWith(word, start)) break;
    start += word.length;
  }
  return start === joined.length && short.some((word) => word.length > 1);
}

/** "J. Robert" and "John Robert", or "John R." and "John Robert": one name matches in full. */
function agreeInInitials(one: readonly string[], other: readonly string[]): boolean {
  const pairs = one
    .slice(0, other.length)
    .map((word, place) => [word, other[place] ?? ''] as const);
  return (
    pairs.some(([left, right]) => left === right && left.length > 1) &&
    pairs.every(([left, right]) => left === right || isInitialOf(left, right))
  );
}

const isInitialOf = (left: string, right: string) =>
  (left.length === 1 || right.length === 1) && left[0] === right[0];

/** "J. Robert" and "Robert". */
const goesByMiddleName = ([initial, ...rest]: readonly string[], other: readonly string[]) =>
  initial?.length === 1 && rest.join('').length > 1 && rest.join('') === other.join('');

/** Whether two family names match, ignoring spaces and hyphens. Either may omit its particles. */
function sameLast(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [canonical(one), canonical(other)];
  const [leftJoined, rightJoined] = [left.join(''), right.join('')];
  return (
    one.join('') === other.join('') ||
    leftJoined === rightJoined ||
    withoutParticles(left).join('') === rightJoined ||
    leftJoined === withoutParticles(right).join('')
  );
}

/** Converts words to the canonical spelling used for comparison. */
function canonical(words: readonly string[]): string[] {
  const end = words.length - 1;
  return words
    .filter((word, place) => word !== 'y' || place === 0 || place === end)
    .map((word, place, kept) => (place < kept.length - 1 && SAME_WORDS.get(word)) || word);
}

function withoutParticles(words: readonly string[]): readonly string[] {
  const isParticle = (word: string, place: number) =>
    PARTICLES.has(word) || (place > 0 && ARTICLES.has(word));
  const start = words.findIndex((word, place) => !isParticle(word, place));
  return start < 0 ? words : words.slice(start);
}

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
function spellings(name: string): string[][] {
  const [plain, spelledOut] = [fold(name, false), fold(name, true)];
  return plain.join(' ') === spelledOut.join(' ') ? [plain] : [plain, spelledOut];
}

/** Letters that may be spelled as two instead of with an accent: "Müller", "Mueller". */
const SPELLED_OUT: Record<string, string> = {
  'a\u0308': 'ae',
  'o\u0308': 'oe',
  'u\u0308': 'ue',
  'a\u030a': 'aa',
  ø: 'oe',
  đ: 'dj',
};

const setOf = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Generations: a father and a son may both be physicians. */
const GENERATIONS: ReadonlyMap<string, string> = new Map([
  ...['jr', 'sr', 'ii', 'iii', 'iv', 'v'].map((word) => [word, word] as const),
  ['2nd', 'ii'],
  ['3rd', 'iii'],
  ['4th', 'iv'],
  ['junior', 'jr'],
  ['senior', 'sr'],
]);

/** Degrees and fellowships, without those that are also family names, such as Ma. */
const DEGREES = setOf(`
  md phd mph mbbs mbchb mbbch dmd dds dpm dnp pharmd psyd msc ms mba mha mhs jd esq
  faap faafp faan faans facc facep facg facog facp facr facs faha fapa dfapa fasn fccm fccp fhm
  sfhm fidsa frcp frcpc frcs frcsc frcpsc fscai
`);

const TITLES = setOf('dr prof');

/** Words before a family name that some records omit, or store as a middle name. */
const PARTICLES = setOf('de del della da das dos di van von vom der den ter zu al el bin ibn bint');

/** Particles only after another one: "de la Cruz" may be "Cruz", but "La Rosa" is not "Rosa". */
const ARTICLES = setOf('la las los het');

/** Two spellings of one word, when another word follows: "Saint John", "el-Sayed". */
const SAME_WORDS: ReadonlyMap<string, string> = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['el', 'al'],
]);

/** 'MD', 'M.D.', 'FAAOS', and single letters. */
const CAPITALS = /(?<![\p{L}\p{N}.])(?:[A-Z]\.?){1,8}(?![\p{L}\p{N}])/gu;
