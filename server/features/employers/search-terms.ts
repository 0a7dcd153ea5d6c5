/** Ways to write one word. */
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
const FORMS_OF = new Map<string, readonly string[]>();
for (const forms of FORMS) {
  for (const form of forms) FORMS_OF.set(form, [...(FORMS_OF.get(form) ?? []), ...forms]);
}

/** What is short for several words. */
const PHRASES = new Map([
  ['va', ['veterans', 'affairs']],
  ['vamc', ['va', 'medical', 'center']],
  ['nyc', ['new', 'york']],
  ['la', ['los', 'angeles']],
  ['sf', ['san', 'francisco']],
]);

/** Half of all names have one of these: alone, they tell no employer from another. */
const COMMON = new Set(
  [...FORMS_OF.keys()].concat('care', 'city', 'clinic', 'clinics', 'medicine', 'state', 'the'),
);

const SMALL_WORDS = new Set(['a', 'an', 'and', 'at', 'for', 'in', 'of', 'the']);
/** The beginning of so many words that they are it only where somebody may still be typing. */
const SHORT = /^(?:co|dr|ft|mt|n[eow]?|s[eotw]?|va|[ew])$/;
const MOST_WORDS = 12;

/** Letters that have no accent to take away (as `unaccent` has them). */
const LETTERS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
]);

/**
 * The words of a search, as `plain_words` has those of employers (0001-text.sql). Small words
 * are left out unless there are no others; single letters in a row are one word: 'M. D.' is 'md'.
 */
export function wordsOf(search: string): string[] {
  const words = search
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’`ʻ]/gu, '')
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/(?<![a-z0-9])[a-z](?:[^a-z0-9]+[a-z](?![a-z0-9]))+/g, (letters) =>
      letters.replace(/[^a-z]+/g, ''),
    )
    .match(/[a-z0-9]+/g);
  const telling = words?.filter((word) => !SMALL_WORDS.has(word)) ?? [];
  return (telling.length > 0 ? telling : (words ?? [])).slice(0, MOST_WORDS);
}

/** One word of a search, and what an employer may have in its place. */
export interface Term {
  readonly word: string;
  /** Whole words. */
  readonly exact: readonly string[];
  /** Beginnings of words. */
  readonly prefixes: readonly string[];
  /** Several words, all of which it must have. */
  readonly phrases: readonly (readonly string[])[];
  /** Letters that follow one another: 'M.D. ANDERSON'. */
  readonly letters: string | null;
  /** What the initials of its name begin with: 'MGH'. */
  readonly initials: string | null;
}

export function termsOf(words: readonly string[]): Term[] {
  return words.map((word, at) => {
    const isComplete = at < words.length - 1 && SHORT.test(word);
    const stem = word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word;
    const before = words[at - 1];
    const after = words[at + 1];
    const phrase = PHRASES.get(word);
    const compound = /^([a-z]{3,})(health|care)$/.exec(word)?.slice(1);
    return {
      word,
      exact: [...new Set([word, stem, ...(FORMS_OF.get(word) ?? [])])],
      prefixes: [
        ...(isComplete ? [] : [stem]),
        // 'advent health' is 'ADVENTHEALTH' as well.
        ...(before ? [before + word] : []),
        ...(after ? [word + after] : []),
      ],
      phrases: [phrase, compound].filter((words) => words !== undefined),
      letters: /^[a-z]{2,3}$/.test(word) ? word : null,
      initials: /^[a-z]{3,6}$/.test(word) ? word : null,
    };
  });
}

/** Whether words tell one employer from another at all. */
export const isTelling = (terms: readonly Term[]) => terms.some(({ word }) => !COMMON.has(word));
