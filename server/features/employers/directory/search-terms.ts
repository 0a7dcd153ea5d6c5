import { plainLetters } from '#contract/plain-letters.ts';

/** Spellings and abbreviations of one word. */
const FORMS: readonly (readonly string[])[] = [
  ['saint', 'st', 'ste'],
  ['mount', 'mt'],
  ['fort', 'ft'],
  ['doctor', 'dr'],
  ['county', 'co'],
  ['north', 'n', 'no'],
  ['south', 's', 'so'],
  ['east', 'e'],
  ['west', 'w'],
  ['northeast', 'ne'],
  ['northwest', 'nw'],
  ['southeast', 'se'],
  ['southwest', 'sw'],
  ['hospital', 'hosp', 'hosps', 'hsptl'],
  ['center', 'ctr', 'cntr', 'cen', 'centre'],
  ['medical', 'med', 'medicine'],
  ['university', 'univ'],
  ['health', 'hlth', 'hlt'],
  ['healthcare', 'hlthcare', 'hlthcre'],
  ['rehabilitation', 'rehab', 'reh'],
  ['psychiatric', 'psych', 'psychiatry'],
  ['behavioral', 'behavioural', 'behav', 'beh'],
  ['memorial', 'mem', 'meml'],
  ['general', 'gen'],
  ['regional', 'reg', 'rgnl'],
  ['community', 'comm', 'cmty'],
  ['institute', 'inst'],
  ['system', 'sys', 'syst', 'systm'],
  ['services', 'svcs', 'srvcs', 'servs'],
  ['orthopedic', 'orthopaedic', 'ortho', 'orthopedics', 'orthopaedics'],
  ['pediatric', 'peds', 'paediatric', 'pediatrics', 'children', 'childrens'],
  ['national', 'natl'],
  ['emergency', 'er'],
  ['division', 'div'],
  ['pennsylvania', 'penna'],
  ['veterans', 'va'],
  ['affairs', 'va'],
];
/** Spellings of a name, which identifies an employer. */
const NAMES: readonly (readonly string[])[] = [['joseph', 'josephs', 'joes', 'joe']];
const FORMS_OF = new Map<string, readonly string[]>();
for (const forms of [...FORMS, ...NAMES]) {
  for (const form of forms) FORMS_OF.set(form, [...(FORMS_OF.get(form) ?? []), ...forms]);
}

/** A word in each of its spellings. */
export const formsOf = (word: string): readonly string[] => FORMS_OF.get(word) ?? [word];

/** Abbreviations of several words. */
export const PHRASES = new Map([
  ['va', ['veterans', 'affairs']],
  ['vamc', ['va', 'medical', 'center']],
  ['nyc', ['new', 'york']],
  ['la', ['los', 'angeles']],
  ['sf', ['san', 'francisco']],
]);

/** Half of all names have one of these, so these alone do not identify an employer. */
const COMMON = new Set(FORMS.flat().concat('care', 'city', 'clinic', 'clinics', 'state', 'the'));

export const FULL_KINDS = [
  'hospital',
  'center',
  'health',
  'healthcare',
  'system',
  'clinic',
  'medical',
];
/** What half of all employers are, whether their names say so or not. */
export const KINDS: ReadonlySet<string> = new Set([
  ...FULL_KINDS.flatMap((kind) => [kind, `${kind}s`]),
  // Not 'medicine', which tells residencies apart.
  ...FULL_KINDS.flatMap((kind) => (kind === 'medical' ? 'med' : formsOf(kind))),
]);
export const isKind = (word: string) => KINDS.has(word);
/** 'hospital' for 'hosp' and 'hospitals'. Other words stay. */
export const fullKind = (word: string) =>
  FULL_KINDS.find(
    (kind) => isKind(word) && (word === `${kind}s` || formsOf(kind).includes(word)),
  ) ?? word;

/** The last word may be a kind that is still being typed: 'duke hospit'. */
export function withWholeKind(words: readonly string[]): readonly string[] {
  const [last = '', ...others] = words.toReversed();
  if (others.length === 0 || last.length < 3 || isKind(last)) return words;
  const kind = FULL_KINDS.find((one) => one.startsWith(last));
  return kind ? [...words.slice(0, -1), kind] : words;
}

/** States that are also words, so they are states only after a city or a whole name, or in capitals. */
export const WORD_STATES = new Set(['hi', 'id', 'in', 'md', 'me', 'ok', 'or', 'pa']);

export const SMALL_WORDS = new Set(['a', 'an', 'and', 'at', 'for', 'in', 'near', 'of', 'the']);
/** Common prefixes match only the last word, which may be incomplete. */
const COMMON_PREFIX = /^(?:co|dr|ft|mt|n[eow]?|s[eotw]?|va|[ew])$/;
const WORDS_MAX = 12;

/**
 * Splits a search into words, as `plain_words` does for employers (0001-text-functions.sql). Drops
 * small words unless there are no others. Joins single letters: 'M. D.' becomes 'md'.
 */
export function wordsOf(search: string): string[] {
  const bare = search
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’`ʻ]/gu, '');
  const words = plainLetters(bare)
    .replace(/(?<![a-z0-9])[a-z](?:[^a-z0-9]+[a-z](?![a-z0-9]))+/g, (letters) =>
      letters.replace(/[^a-z]+/g, ''),
    )
    .match(/[a-z0-9]+/g)
    // PostgreSQL reads "6e1f" as the number 6e1 and the word f.
    ?.flatMap((word) => word.replace(/^\d+e\d+(?=[a-z])/, '$& ').split(' '));
  const specific = words?.filter((word) => !SMALL_WORDS.has(word)) ?? [];
  return (specific.length > 0 ? specific : (words ?? [])).slice(0, WORDS_MAX);
}

/** One word of a search, with its alternatives. */
export interface Term {
  readonly word: string;
  /** Whole words. */
  readonly exact: readonly string[];
  /** Prefixes of words. */
  readonly prefixes: readonly string[];
  /** Several words that must all match. */
  readonly phrases: readonly (readonly string[])[];
  /** Words in a row, such as single letters: 'M.D. ANDERSON'. */
  readonly adjacent: readonly (readonly string[])[];
  /** Prefix of the initials of the name: 'MGH'. */
  readonly initials: string | null;
}

export function termsOf(words: readonly string[]): Term[] {
  return words.map((word, at) => {
    // 'columbus va' asks for veterans, not yet for a valley.
    const isComplete = COMMON_PREFIX.test(word) && (at < words.length - 1 || word === 'va');
    const stem = word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word;
    const before = words[at - 1];
    const after = words[at + 1];
    const phrase = PHRASES.get(word);
    const compound = /^([a-z]{3,})(health|care)$/.exec(word)?.slice(1);
    return {
      word,
      exact: [...new Set([word, stem, ...(FORMS_OF.get(word) ?? [])])],
      prefixes: [
        ...(isComplete ? [] : [word]),
        // 'advent health' also matches 'ADVENTHEALTH'.
        ...(before ? [before + word] : []),
        ...(after ? [word + after] : []),
      ],
      phrases: [phrase, compound].filter((words) => words !== undefined),
      adjacent: /^[a-z]{2,3}$/.test(word) ? [[...word]] : [],
      initials: /^[a-z]{3,6}$/.test(word) ? word : null,
    };
  });
}

/** Whether any word is specific enough to identify an employer. */
export const isSpecific = (words: readonly string[]) => words.some((word) => !COMMON.has(word));
