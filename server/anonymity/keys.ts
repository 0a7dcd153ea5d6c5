import { createHmac, hkdfSync } from 'node:crypto';
import type { SealingKey } from './seal.ts';

/** The secrets, each 32 bytes. Kept apart from each other, and outside the database. */
export interface Secrets {
  /** Seals identities. The first seals; all of them open, so that keys can be rotated. */
  readonly sealing: readonly { readonly id: string; readonly key: Buffer }[];
  /**
   * Blind indexes: finding an account by e-mail or NPI. The first writes; all of them find, while
   * `curbside index rotate` is under way.
   */
  readonly index: readonly Buffer[];
  /**
   * Names the author of a review to nobody but the author's own session. The first writes; all of
   * them find, while `curbside authorship rotate` is under way.
   */
  readonly authorship: readonly Buffer[];
  /**
   * Signs access tokens, names and seals sessions, and hashes what lasts no longer than one: codes,
   * links, limits. So nothing of these depends on a key that is rotated.
   */
  readonly session: Buffer;
}

/** What a keyed hash is for: one key per purpose, so that values of two tables never compare. */
type IndexPurpose = 'email' | 'npi' | 'npi-tombstone';
type SessionPurpose =
  | 'access-token'
  | 'author-secret'
  | 'session-account'
  | 'session-seal'
  | 'refresh-token'
  | 'known-device'
  | 'refresh-nonce'
  | 'refresh-successor'
  | 'one-time-code'
  | 'password-reset'
  | 'email-change'
  | 'email-undo'
  | 'mailbox-code'
  | 'mailbox-mark'
  | 'rate-limit';

/** What an account did to a review: one key per deed, review and account, which joins to nothing. */
export type ReviewDeed = 'vote' | 'report';

/** A 32-byte key for one purpose (HKDF, RFC 5869). */
export function derive(secret: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `curbside/${purpose}`, 32));
}

const hmac = (key: Buffer, value: string) => createHmac('sha256', key).update(value).digest();

export type Keys = ReturnType<typeof deriveKeys>;

/** Derives every key once; what it returns is all that the rest of the server may use. */
export function deriveKeys(initial: Secrets) {
  let secrets = initial;
  const cache = new Map<Buffer, Map<string, Buffer>>();
  const keyFor = (secret: Buffer, purpose: string) => {
    const keys = cache.get(secret) ?? new Map<string, Buffer>();
    const key = keys.get(purpose) ?? derive(secret, purpose);
    cache.set(secret, keys.set(purpose, key));
    return key;
  };
  const current = ([first]: readonly Buffer[]) => {
    if (!first) throw new Error('no key');
    return first;
  };
  const index = (secret: Buffer, purpose: IndexPurpose, value: string) =>
    hmac(keyFor(secret, purpose), value);
  const authorKey = (secret: Buffer, userId: string) => hmac(keyFor(secret, 'authorship'), userId);
  const deedKey = (secret: Buffer, deed: ReviewDeed, userId: string, reviewId: string) =>
    hmac(keyFor(secret, `review-${deed}`), `${reviewId}/${userId}`);
  const sealingKeys = (
    all: readonly Buffer[],
    purpose: string,
  ): readonly [SealingKey, ...SealingKey[]] => {
    const sealing = (secret: Buffer): SealingKey => ({
      id: keyFor(secret, `${purpose}-id`).toString('hex').slice(0, 8),
      key: keyFor(secret, purpose),
    });
    return [sealing(current(all)), ...all.slice(1).map(sealing)];
  };
  return {
    get sealing(): readonly SealingKey[] {
      return secrets.sealing.map(({ id, key }) => ({ id, key: keyFor(key, 'identity') }));
    },
    /** The blind index of a value: HMAC-SHA-256, 32 bytes. */
    index: (purpose: IndexPurpose, value: string) => index(current(secrets.index), purpose, value),
    /** The same under every key in use: what may stand in the table while keys are changed. */
    indexes: (purpose: IndexPurpose, value: string) =>
      secrets.index.map((secret) => index(secret, purpose, value)),
    sessionKey: (purpose: SessionPurpose) => keyFor(secrets.session, purpose),
    sessionIndex: (purpose: SessionPurpose, value: string) =>
      hmac(keyFor(secrets.session, purpose), value),
    /** `reviews.author_key` of an account: 32 bytes. */
    authorKey: (userId: string) => authorKey(current(secrets.authorship), userId),
    /** The same under every key in use: what may stand in the table while keys are changed. */
    authorKeys: (userId: string) => secrets.authorship.map((secret) => authorKey(secret, userId)),
    /** What names the doer of a deed in its table: bound to the one review. */
    deedKey: (deed: ReviewDeed, userId: string, reviewId: string) =>
      deedKey(current(secrets.authorship), deed, userId, reviewId),
    deedKeys: (deed: ReviewDeed, userId: string, reviewId: string) =>
      secrets.authorship.map((secret) => deedKey(secret, deed, userId, reviewId)),
    /** What seals the salts of accounts: the first; all of them open. */
    get authorSalts() {
      return sealingKeys(secrets.authorship, 'author-salt');
    },
    /** What seals which account has lost its NPI to another. */
    get disputes() {
      return sealingKeys(secrets.authorship, 'npi-dispute');
    },
    /** Names a writer to the rate limits, whose exact times must not lead to an account. */
    writer: (userId: string) =>
      hmac(keyFor(current(secrets.authorship), 'write-limit'), userId).toString('base64url'),
    /** Takes up other secrets while the server runs: keys have been rotated. */
    replace(next: Secrets) {
      secrets = next;
      cache.clear();
    },
  };
}
