export interface PersonName {
  readonly first: string;
  readonly last: string;
}

/** The name of an account, as the rules here read it. */
export const personName = (account: {
  readonly first_name: string;
  readonly last_name: string;
}): PersonName => ({ first: account.first_name, last: account.last_name });

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

const SUFFIXES = new Set([
  ...['jr', 'sr', 'ii', 'iii', 'iv'],
  ...['md', 'do', 'phd', 'mph', 'mbbs', 'mbchb', 'facp', 'facs', 'esq'],
]);

/** A name's words, in plain small letters: "O'Neill-St. John, M.D." is `oneill st john md`. */
function words(name: string): string[] {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}.'’‘`´]/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

function withoutSuffixes(name: string): string[] {
  const kept = words(name);
  // The first word is never one: Do is a family name too.
  while (kept.length > 1 && SUFFIXES.has(kept.at(-1) ?? '')) kept.pop();
  return kept;
}

/** Spaces and hyphens aside, the same family name. */
function sameLast(one: string, other: string): boolean {
  const joined = withoutSuffixes(one).join('');
  return joined !== '' && joined === withoutSuffixes(other).join('');
}

/** The same first name, where either may be followed by middle names or initials. */
function sameFirst(one: string, other: string): boolean {
  const [left, right] = [withoutSuffixes(one), withoutSuffixes(other)];
  if (left.length === 0 || right.length === 0) return false;
  if (left.join('') === right.join('')) return true;
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).join(' ') === right.slice(0, length).join(' ');
}

/**
 * Whether two spellings are one person's name, as far as a registry's habits go: case, accents,
 * punctuation, middle names and suffixes aside. Nicknames are for an administrator to judge.
 */
export function isSameName(one: PersonName, other: PersonName): boolean {
  return sameFirst(one.first, other.first) && sameLast(one.last, other.last);
}
