import { randomBytes } from 'node:crypto';
import type { Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unseal } from '#server/anonymity/seal.ts';

const SALT_BYTES = 32;
/** The salt and its epoch as JSON. */
const BLOCK_BYTES = 128;

/** Every account has one. With the author secret, it gives the author keys of locked accounts. */
export interface AuthorSalt {
  readonly salt: Buffer;
  /** The authorship key that was current when the salt was created. */
  readonly epoch: string;
}

const contextOf = (userId: string) => `author-salt/${userId}`;

/**
 * Sealed under the authorship key: someone who guesses a password from a database dump then gets
 * the secret, but not the author keys.
 */
export function sealAuthorSalt(keys: Keys, userId: string, { salt, epoch }: AuthorSalt): Buffer {
  const value = { salt: salt.toString('base64'), epoch };
  return seal(keys.authorSalts[0], contextOf(userId), value, { blockBytes: BLOCK_BYTES });
}

export function openAuthorSalt(keys: Keys, userId: string, sealed: Buffer): AuthorSalt {
  const { salt, epoch } = unseal<{ salt: string; epoch: string }>(
    keys.authorSalts,
    contextOf(userId),
    sealed,
  );
  return { salt: Buffer.from(salt, 'base64'), epoch };
}

/** Whether its key is available. Without the key, locked reviews permanently lose their author. */
export const opensAuthorSalt = (keys: Keys, sealed: Buffer): boolean =>
  keys.authorSalts.some(({ id }) => id === sealedWith(sealed));

/** Whether the salt was created (not just resealed) under the current authorship key. */
export function isSaltCurrent(keys: Keys, userId: string, sealed: Buffer): boolean {
  const [{ id: current }] = keys.authorSalts;
  return sealedWith(sealed) === current && openAuthorSalt(keys, userId, sealed).epoch === current;
}

/** The same salt with the current epoch. */
export const asCurrent = (keys: Keys, { salt }: Pick<AuthorSalt, 'salt'>): AuthorSalt => ({
  salt,
  epoch: keys.authorSalts[0].id,
});

export const newAuthorSalt = (keys: Keys): AuthorSalt =>
  asCurrent(keys, { salt: randomBytes(SALT_BYTES) });
