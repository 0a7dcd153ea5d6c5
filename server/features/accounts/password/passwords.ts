import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hashRaw } from '@node-rs/argon2';
import fastq from 'fastq';
import { COMMON_PASSWORD } from '#contract/accounts.ts';
import { derive } from '#server/anonymity/keys.ts';
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

/** What a password gives: a verifier to store, and a key that is stored nowhere. */
export interface DerivedPassword {
  /** `$argon2id$v=19$m=…,t=…,p=…$salt$verifier`, as `users.password_hash` has it. */
  readonly hash: string;
  /** 32 bytes that wrap the account's author secret. */
  readonly wrappingKey: Buffer;
}

const SALT_BYTES = 16;
const FORMAT = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,3})\$([\w-]{22})\$([\w-]{43})$/;

/** One run of argon2id, and from it both values (HKDF, RFC 5869): neither leads to the other. */
async function derivePassword(password: string, salt: Buffer, options = OPTIONS) {
  const raw = await queued(() => hashRaw(composed(password), { ...options, salt }));
  return {
    verifier: derive(raw, 'password-verifier'),
    wrappingKey: derive(raw, 'password-wrapping'),
  };
}

export async function hashPassword(password: string): Promise<DerivedPassword> {
  const salt = randomBytes(SALT_BYTES);
  const { verifier, wrappingKey } = await derivePassword(password, salt);
  const { memoryCost, timeCost, parallelism } = OPTIONS;
  const costs = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  const [made, check] = [salt, verifier].map((bytes) => bytes.toString('base64url'));
  const hash = `$argon2id$v=19$${costs}$${made}$${check}`;
  return { hash, wrappingKey };
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
 * The wrapping key when the password is the one behind `stored`, else null. Without an account
 * (`null`) it takes as long as with one, so that the time does not tell whether there is one.
 */
export async function openPassword(
  stored: string | null,
  password: string,
): Promise<Buffer | null> {
  const [, m, t, p, salt = '', verifier = ''] = FORMAT.exec(stored ?? (await decoy).hash) ?? [];
  const options = {
    ...OPTIONS,
    memoryCost: Number(m),
    timeCost: Number(t),
    parallelism: Number(p),
  };
  const derived = await derivePassword(password, Buffer.from(salt, 'base64url'), options);
  const matches = timingSafeEqual(derived.verifier, Buffer.from(verifier, 'base64url'));
  return matches && stored !== null ? derived.wrappingKey : null;
}
