import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON_COUNT = 10_000;
/** What somebody guesses of this site in particular. */
const OUR_WORDS = ['curbside', 'physician', 'hospital', 'resident', 'residency', 'fellowship'];
/** The list is in lower case, the most common first. */
const common = new Set([...dictionary['passwords-common'].slice(0, COMMON_COUNT), ...OUR_WORDS]);

/**
 * Whether a password is guessed among the first. Almost none of the list meets the rules for a
 * password, so people add to them what the rules ask for, and `Password1!` is guessed as soon.
 */
export const isCommonPassword = (password: string) =>
  plainForms(password).some((form) => common.has(form));

/** A password without capitals, with and without what stands around its word or for its letters. */
function plainForms(password: string): string[] {
  const lower = password.toLowerCase();
  const [word = ''] = lower.match(/\p{L}(?:.*\p{L})?/su) ?? [];
  const [unmarked = ''] = lower.match(/[\p{L}\p{Nd}](?:.*[\p{L}\p{Nd}])?/su) ?? [];
  // Beside a short word, digits of one's own may be secret enough.
  const isMostlyWord = word.length >= lower.length - word.length;
  const forms = [lower, unmarked, ...(isMostlyWord ? [word] : [])];
  return [...forms, ...forms.map(lettersFor)];
}

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** `p@ssw0rd` -> `password`. */
const lettersFor = (text: string) => text.replace(/[013457@$!]/g, (sign) => LETTERS[sign] ?? sign);
