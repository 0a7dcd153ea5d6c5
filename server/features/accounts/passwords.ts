import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import fastq from 'fastq';
import { COMMON_PASSWORD } from '#contract/accounts.ts';
import { AppError, unavailable } from '#server/app-error.ts';
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

/** So many are hashed at once: each takes 19 MiB, and one of the four threads of libuv. */
const AT_ONCE = Math.min(3, availableParallelism());
/** Some seconds of work. Who comes to a longer queue is told to come back. */
export const HASHES_WAITING_MAX = 500;
const RETRY_AFTER_SECONDS = 5;

const queue = fastq.promise((work: () => Promise<void>) => work(), AT_ONCE);

/** Runs work on a password in its turn. Throws `unavailable` when too many wait. */
async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (queue.length() >= HASHES_WAITING_MAX) {
    throw unavailable(RETRY_AFTER_SECONDS);
  }
  return new Promise((resolve, reject) => {
    void queue.push(() => work().then(resolve, reject));
  });
}

export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(composed(password), OPTIONS));
}

/** A password's argon2id hash under a salt that can be made again: equal passwords, equal bytes. */
export function derivePasswordKey(password: string, salt: Buffer): Promise<Buffer> {
  return queued(() => hashRaw(composed(password), { ...OPTIONS, salt }));
}

/** The hash of a password that nobody was told: nobody can sign in with it. */
export const unusablePassword = () => hashPassword(randomUUID());

/** Made beforehand, so that the first stranger does not wait for it. */
const decoy = hashPassword('no account has this password');

/**
 * Whether the password is the one behind `stored`. Without an account (`null`) it takes as long
 * as with one, so that the time does not tell whether there is one.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const known = stored ?? (await decoy);
  const matches = await queued(() => verify(known, composed(password)));
  return matches && stored !== null;
}
