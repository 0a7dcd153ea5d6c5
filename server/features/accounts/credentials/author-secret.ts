import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readPaperCode } from '#contract/accounts/recovery-code.ts';
import { derive } from '#server/anonymity/keys.ts';
import type { DerivedPassword } from './passwords.ts';

export const SECRET_BYTES = 32;
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
