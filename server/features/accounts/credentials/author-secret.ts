import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readPaperCode } from '#contract/accounts/recovery-code.ts';
import { derive, type Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unseal } from '#server/anonymity/seal.ts';
import type { DerivedPassword } from './passwords.ts';

const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The length of a wrapped secret in `users`. Accounts without one have random bytes. */
const WRAPPED_BYTES = NONCE_BYTES + TAG_BYTES + SECRET_BYTES;

export const newAuthorSecret = () => randomBytes(SECRET_BYTES);

/** Derives a key from a recovery code. The code has 125 random bits, so no slow hash is needed. */
export function recoveryKey(code: string): Buffer {
  return derive(readPaperCode(code), 'recovery-code');
}

export const noSecret = () => randomBytes(WRAPPED_BYTES);

/**
 * Encrypts an author secret with AES-256-GCM (NIST SP 800-38D). Without a secret it returns random
 * bytes, so that the column does not reveal whether reviews are locked.
 */
export function wrapSecret(wrappingKey: Buffer, secret: Buffer | null): Buffer {
  if (secret === null) return noSecret();
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, nonce);
  const wrapped = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), wrapped]);
}

/** The columns that depend on the password: its verifier, and the wrapped author secret. */
export function passwordColumns({ hash, wrappingKey }: DerivedPassword, secret: Buffer | null) {
  return { password_hash: hash, author_secret: wrapSecret(wrappingKey, secret) };
}

/** The secret; null if there is none or the key is wrong. */
export function unwrapSecret(wrappingKey: Buffer, wrapped: Buffer): Buffer | null {
  if (wrapped.length !== WRAPPED_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', wrappingKey, wrapped.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(wrapped.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const secret = decipher.update(wrapped.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([secret, decipher.final()]);
  } catch {
    return null;
  }
}

const SALT_BYTES = 32;
/** Fits ten salts as JSON, so that the length does not show how many there are. */
const SALTS_BLOCK_BYTES = 512;

type Salts<T> = readonly [T, ...T[]];

/** What every account has. With the author secret, it gives the author keys of locked accounts. */
interface AuthorSalts {
  /** One for each authorship key since the account was made, the current one first. */
  readonly salts: Salts<Buffer>;
  /** The authorship key that was current when the first one was created. */
  readonly epoch: string;
}

const saltsContext = (userId: string) => `author-salt/${userId}`;

/**
 * Sealed under the authorship key: someone who guesses a password from a database dump then gets
 * the secret, but not the author keys.
 */
export function sealAuthorSalts(keys: Keys, userId: string, { salts, epoch }: AuthorSalts): Buffer {
  const value = { salts: salts.map((salt) => salt.toString('base64')), epoch };
  return seal(keys.authorSalts[0], saltsContext(userId), value, { blockBytes: SALTS_BLOCK_BYTES });
}

export function openAuthorSalts(keys: Keys, userId: string, sealed: Buffer): AuthorSalts {
  const value = unseal<{ salts: Salts<string>; epoch: string }>(
    keys.authorSalts,
    saltsContext(userId),
    sealed,
  );
  const [current, ...older] = value.salts;
  return { salts: [fromBase64(current), ...older.map(fromBase64)], epoch: value.epoch };
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64');

/** Whether its key is available. Without the key, locked reviews permanently lose their author. */
export const opensAuthorSalts = (keys: Keys, sealed: Buffer): boolean =>
  keys.authorSalts.some(({ id }) => id === sealedWith(sealed));

/** Whether the first salt was created under the current authorship key. */
export function isSaltCurrent(keys: Keys, userId: string, sealed: Buffer): boolean {
  const [{ id: current }] = keys.authorSalts;
  return sealedWith(sealed) === current && openAuthorSalts(keys, userId, sealed).epoch === current;
}

/** The first salt of a new account. */
export const firstSalt = (keys: Keys): AuthorSalts => ({
  salts: [randomBytes(SALT_BYTES)],
  epoch: keys.authorSalts[0].id,
});

/**
 * Adds a salt of the current authorship key, or replaces it if there is one: their number must not
 * show who locked reviews, or when.
 */
export function withNewSalt(keys: Keys, { salts, epoch }: AuthorSalts): AuthorSalts {
  const { salts: fresh, ...current } = firstSalt(keys);
  const kept = epoch === current.epoch ? salts.slice(1) : salts;
  return { salts: [...fresh, ...kept], ...current };
}
