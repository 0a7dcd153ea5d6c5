import {
  ABBREVIATIONS,
  PHRASES,
  SHORT_FORMS,
  SMALL_AFTER_DE,
  SMALL_WORDS,
  SPELLINGS,
} from './name-words.ts';

const WORD = /[\p{L}\p{N}]+(?:['’`ʻ]\p{L}+)*/gu;
const PHRASE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${PHRASES.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
const PHRASE_SPELLINGS = new Map(PHRASES.map((phrase) => [phrase.toUpperCase(), phrase]));

/** The longest word in capitals, in a mixed-case name, that counts as initials. */
const INITIALS_MAX = 6;

/** How far around a word its context matters, in UTF-16 units. */
const CONTEXT = 12;

/** The text right before and after a word, and whether the name has lower-case letters. */
interface Context {
  before: string;
  after: string;
  /** The name has lower-case letters, so its capitals carry meaning. */
  isMixed: boolean;
}

/**
 * Formats an employer's name or a position title for display:
 * "ST. MARY'S ICU OF NYC" -> "St. Mary's ICU of NYC". Changes only the case of letters. Idempotent.
 */
export function titleCase(name: string): string {
  const before = kept.get(name);
  if (before !== undefined) return before;
  const cased = write(name, hasSmall(name));
  // If no lower-case letter is left, the capitals carried no meaning: 'AA icu' becomes 'AA ICU'.
  const final = hasSmall(cased) ? cased : write(name, false);
  if (kept.size >= KEPT) kept.clear();
  kept.set(name, final);
  return final;
}

/** Recently formatted names: a page shows many of them several times. */
const kept = new Map<string, string>();
const KEPT = 500;

const hasSmall = (name: string) => /\p{Ll}/u.test(name);

function write(name: string, isMixed: boolean): string {
  const cased = name.replace(WORD, (word, at: number) => {
    const end = at + word.length;
    const before = name.slice(Math.max(0, at - CONTEXT), at);
    return caseWord(word, { before, after: name.slice(end, end + CONTEXT), isMixed });
  });
  return cased.replace(PHRASE, (phrase) => PHRASE_SPELLINGS.get(phrase.toUpperCase()) ?? phrase);
}

function caseWord(word: string, context: Context): string {
  const upper = word.toUpperCase();
  const lower = word.toLowerCase();
  if (isStateAtEnd(upper, context)) return upper;
  if (isSmall(lower, context)) return lower;
  return (
    SPELLINGS.get(upper.replace(/[’`ʻ]/u, "'")) ??
    caseAbbreviation(upper) ??
    (context.isMixed && isWrittenWithCare(word) ? word : casePlain(lower))
  );
}

/** The first word, and one after a dash, colon, or bracket, is always capitalized. */
function isSmall(lower: string, { before, after }: Context): boolean {
  if (!/[\p{L}\p{N},.'’`)&/] $/u.test(before)) return false;
  if (SMALL_AFTER_DE.has(lower)) return /(?<!\p{L})de $/iu.test(before);
  if (!SMALL_WORDS.has(lower)) return false;
  // A single letter is a word only between words: 'A CAMPUS OF', but 'A H C', 'A.O.', 'J Y CO'.
  return lower.length > 1 || (/^ \p{L}{2}/u.test(after) && /[\p{L}\p{N}]{2}[,.)]? $/u.test(before));
}

/** 'MARION, IN': many state codes are also words. */
function isStateAtEnd(upper: string, { before, after }: Context): boolean {
  return /^[A-Z]{2}$/.test(upper) && after === '' && before.endsWith(', ');
}

const ROMAN = /^(?=[IVX]{2})X{0,2}(?:IX|IV|V?I{0,3})$/;
const ORDINAL = /^\d+(?:ST|ND|RD|TH|D)$/;

/** Returns null for a plain word. */
function caseAbbreviation(upper: string): string | null {
  const [stem = '', ending] = upper.split(/(?=['’`ʻ]S$)/u);
  if (ABBREVIATIONS.has(stem)) return stem + (ending ?? '').toLowerCase();
  if (upper.length === 1 || ROMAN.test(upper)) return upper;
  if (ORDINAL.test(upper)) return upper.toLowerCase();
  if (/\d/.test(upper)) return upper;
  const isInitials = /^[B-DF-HJ-NP-TV-XZ]{2,5}$/.test(upper) && !SHORT_FORMS.has(upper);
  return isInitials ? upper : null;
}

function isWrittenWithCare(word: string): boolean {
  const firstSmall = word.search(/\p{Ll}/u);
  const hasInnerCapital =
    firstSmall >= 0 && (/\p{Lu}/u.test(word.slice(firstSmall)) || /^\p{Lu}{2}/u.test(word));
  return hasInnerCapital || (word === word.toUpperCase() && word.length <= INITIALS_MAX);
}

/** 'o'connor' -> 'O'Connor', 'mcleod' -> 'McLeod', 'women's' -> 'Women's'. */
function casePlain(lower: string): string {
  const [, prefix, rest] = /^([odl]['’`]|mc)(\p{L}{3}.*)$/u.exec(lower) ?? [];
  return prefix && rest ? capitalize(prefix) + capitalize(rest) : capitalize(lower);
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
