import { ARTICLES, PARTICLES, SAME_WORDS } from './person-name-words.ts';

/** Whether two first names match. Either may continue with middle names or initials. */
export function sameFirst(one: readonly string[], other: readonly string[]): boolean {
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
export function sameLast(one: readonly string[], other: readonly string[]): boolean {
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
export function canonical(words: readonly string[]): string[] {
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
