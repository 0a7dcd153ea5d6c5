import { hash, verify } from '@node-rs/argon2';
import { COMMON_PASSWORD } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Algorithm.Argon2id: a const enum, which type stripping cannot import. */
const ARGON2ID = 2;
/** OWASP's second recommended setting for argon2id: 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Refuses the passwords that are guessed first. */
export function refuseCommonPassword(field: string, password: string): void {
  if (!isCommonPassword(password)) return;
  throw new AppError('validation_error', { fields: { [field]: [COMMON_PASSWORD] } });
}

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
