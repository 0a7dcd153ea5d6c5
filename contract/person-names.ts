import { canonical, sameFirst, sameLast } from './person-name-parts.ts';
import { DEGREES, GENERATIONS, spellings, TITLES } from './person-name-words.ts';

export interface PersonName {
  readonly first: string;
  readonly last: string;
}

interface AccountName {
  readonly first_name: string;
  readonly last_name: string;
}

/** The name of an account, as the rules here read it. */
export const personName = (account: AccountName): PersonName => ({
  first: account.first_name,
  last: account.last_name,
});

/** Whether two accounts have one name, letter for letter. */
export const isSpelledAlike = (one: AccountName, other: AccountName): boolean =>
  one.first_name === other.first_name && one.last_name === other.last_name;

/** Words of a first or last name, and the generation that followed them. */
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
 * Whether two spellings are one person's name, as far as a registry's habits go: case, accents,
 * punctuation, spacing, middle names, particles and suffixes aside. Where in doubt it says no: the
 * doctor sees the registry's name and can type that one. So one half of a double surname does not
 * match, for the halves are common ("Maria Garcia"), nor do nicknames. It is no barrier to an
 * impostor, who knows the registry's name: only a proof is one.
 */
export function isSameName(one: PersonName, other: PersonName): boolean {
  const others = readingsOf(other);
  return readingsOf(one).some((left) => others.some((right) => agree(left, right)));
}

/**
 * Whether a name is one of the names that a registry has for a person, the current one first. It
 * has to be one of them as a whole, or the family names of two side by side: many who marry use
 * both, and the registry lists the former one as another name.
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
  // "Do" is a family name and a degree. Where punctuation sets it off it is the degree.
  const degrees = /[.,]/.test(name.last) ? ['do'] : [];
  const lasts = spellings(name.last).map((words) => partOf(words, ['v', ...degrees]));
  return firsts
    .flatMap((first) => lasts.map((last) => ({ first, last })))
    .filter(({ first, last }) => first.words.length > 0 && last.words.length > 0)
    .flatMap((reading) => [reading, ...withInitialMoved(reading)]);
}

const withoutTitle = (words: string[]) =>
  words.length > 1 && TITLES.has(words[0] ?? '') ? words.slice(1) : words;

/** Takes the suffixes off. A "V" after a first name is an initial. */
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

/** "Mary | A. Smith" is "Mary A. | Smith" too; "O Neill", "D Angelo" and "L Heureux" are not. */
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
  // All the same words, but the one between the names stands in the other field.
  return allWords(one) === allWords(other);
}

const allWords = ({ first, last }: Reading) => [...first.words, ...canonical(last.words)].join(' ');
