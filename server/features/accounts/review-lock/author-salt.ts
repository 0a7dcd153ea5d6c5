import { randomBytes } from 'node:crypto';
import type { Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unseal } from '#server/anonymity/seal.ts';

const SALT_BYTES = 32;
/** The salt and its epoch as JSON. */
const BLOCK_BYTES = 128;

/** What makes an author secret into author keys, beside the secret. Every account has one. */
export interface AuthorSalt {
  readonly salt: Buffer;
  /** Which authorship key it was made under: an older one asks for a new salt. */
  readonly epoch: string;
}

const contextOf = (userId: string) => `author-salt/${userId}`;

/**
 * Sealed under the authorship key. So a thief who guesses a password from a dump can unwrap the
 * secret, and still not make the keys.
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

/** Whether a key in use seals it. Without its key, nobody ever finds again what it has locked. */
export const opensAuthorSalt = (keys: Keys, sealed: Buffer): boolean =>
  keys.authorSalts.some(({ id }) => id === sealedWith(sealed));

/** Whether the current authorship key made it; later keys only sealed it again. */
export function isSaltCurrent(keys: Keys, userId: string, sealed: Buffer): boolean {
  const [{ id: current }] = keys.authorSalts;
  return sealedWith(sealed) === current && openAuthorSalt(keys, userId, sealed).epoch === current;
}

/** The salt as if the current authorship key had made it. */
export const asCurrent = (keys: Keys, { salt }: Pick<AuthorSalt, 'salt'>): AuthorSalt => ({
  salt,
  epoch: keys.authorSalts[0].id,
});

/** A new salt of the current authorship key. */
export const newAuthorSalt = (keys: Keys): AuthorSalt =>
  asCurrent(keys, { salt: randomBytes(SALT_BYTES) });
