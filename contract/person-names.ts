import {
  ARTICLES,
  DEGREES,
  GENERATIONS,
  PARTICLES,
  SAME_WORDS,
  spellings,
  TITLES,
} from './person-name-words.ts';

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

/** 'MD', 'M.D.', 'FAAOS', and single letters. */
const CAPITALS = /(?<![\p{L}\p{N}.])(?:[A-Z]\.?){1,8}(?![\p{L}\p{N}])/gu;

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
