import { randomBytes } from 'node:crypto';
import type { Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unseal } from '#server/anonymity/seal.ts';

const SALT_BYTES = 32;
/** Fits ten salts as JSON, so that the length does not show how many there are. */
const BLOCK_BYTES = 512;

type Salts<T> = readonly [T, ...T[]];

/** What every account has. With the author secret, it gives the author keys of locked accounts. */
export interface AuthorSalts {
  /** One for each authorship key since the account was made, the current one first. */
  readonly salts: Salts<Buffer>;
  /** The authorship key that was current when the first one was created. */
  readonly epoch: string;
}

const contextOf = (userId: string) => `author-salt/${userId}`;

/**
 * Sealed under the authorship key: someone who guesses a password from a database dump then gets
 * the secret, but not the author keys.
 */
export function sealAuthorSalts(keys: Keys, userId: string, { salts, epoch }: AuthorSalts): Buffer {
  const value = { salts: salts.map((salt) => salt.toString('base64')), epoch };
  return seal(keys.authorSalts[0], contextOf(userId), value, { blockBytes: BLOCK_BYTES });
}

export function openAuthorSalts(keys: Keys, userId: string, sealed: Buffer): AuthorSalts {
  const value = unseal<{ salts: Salts<string>; epoch: string }>(
    keys.authorSalts,
    contextOf(userId),
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
