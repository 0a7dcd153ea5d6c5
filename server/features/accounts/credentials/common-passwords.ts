import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON_COUNT = 10_000;
/** Obvious guesses for this site. */
const OUR_WORDS = ['curbside', 'physician', 'hospital', 'resident', 'residency', 'fellowship'];
/** The list is lowercase, most common first. */
const common = new Set([...dictionary['passwords-common'].slice(0, COMMON_COUNT), ...OUR_WORDS]);

/**
 * Whether a password is a common one, possibly decorated. Few common passwords meet the password
 * rules, so people add what the rules require, and `Password1!` is just as easy to guess.
 */
export const isCommonPassword = (password: string) =>
  plainForms(password).some((form) => common.has(form));

/** The lowercase password, with and without surrounding decoration and substituted letters. */
function plainForms(password: string): string[] {
  const lower = password.toLowerCase();
  const [word = ''] = lower.match(/\p{L}(?:.*\p{L})?/su) ?? [];
  const [unmarked = ''] = lower.match(/[\p{L}\p{Nd}](?:.*[\p{L}\p{Nd}])?/su) ?? [];
  // Next to a short word, many other characters may be secret enough.
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
