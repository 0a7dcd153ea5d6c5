import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { COMMON_PASSWORD } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';

/** Algorithm.Argon2id: a const enum, which type stripping cannot import. */
const ARGON2ID = 2;
/** OWASP's second recommended setting for argon2id: 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const COMMON_COUNT = 10_000;
/** What somebody guesses of this site in particular. */
const OUR_WORDS = ['curbside', 'physician', 'hospital', 'resident', 'residency', 'fellowship'];
/** The list is in lower case, the most common first. */
const common = new Set([...dictionary['passwords-common'].slice(0, COMMON_COUNT), ...OUR_WORDS]);

/**
 * Refuses the passwords that are guessed first. Almost none of the list meets the rules for a
 * password, so people add to them what the rules ask for, and `Password1!` is guessed as soon.
 */
export function refuseCommonPassword(field: string, password: string): void {
  if (!plainForms(password).some((form) => common.has(form))) return;
  throw new AppError('validation_error', { fields: { [field]: [COMMON_PASSWORD] } });
}

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

/** Keyboards differ in how they compose an accented letter (NIST SP 800-63B, section 5.1.1.2). */
const composed = (password: string) => password.normalize('NFKC');

export function hashPassword(password: string): Promise<string> {
  return hash(composed(password), OPTIONS);
}

/** Made beforehand, so that the first stranger does not wait for it. */
const decoy = hashPassword('no account has this password');

/**
 * Whether the password is the one behind `stored`. Without an account (`null`) it takes as long
 * as with one, so that the time does not tell whether there is one.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await decoy), composed(password));
  return matches && stored !== null;
}
