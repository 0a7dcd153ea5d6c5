import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

export interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
}

/** The server's secrets, 32 bytes each. Kept apart from each other and outside the database. */
export interface Secrets {
  /** Seals identities. The first key seals and all of them open, so that keys can be rotated. */
  readonly sealing: readonly { readonly id: string; readonly key: Buffer }[];
  /**
   * Keys the blind indexes that find accounts by email or NPI. New values use the first key.
   * Lookups try all of them while `curbside index rotate` runs.
   */
  readonly index: readonly Buffer[];
  /**
   * Derives author keys, so that only the author's own session finds the author's reviews. New
   * values use the first key. Lookups try all of them while `curbside authorship rotate` runs.
   */
  readonly authorship: readonly Buffer[];
  /**
   * Signs access tokens, names and seals sessions, and hashes values that live no longer than a
   * session: codes, links, rate limits. Never rotated.
   */
  readonly session: Buffer;
}

/** Purposes of keyed hashes. Each has its own key, so that values in two tables never match. */
type IndexPurpose = 'email' | 'npi' | 'npi-tombstone' | 'npi-tombstone-weak';
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
  | 'unsubscribe'
  | 'mailbox-code'
  | 'mailbox-mark'
  | 'office-pass'
  | 'factor-recovery'
  | 'backup'
  | 'rate-limit'
  | 'write-position';

/** Kinds of actions on a review. Each account has a different key for each kind and each review. */
export type ReviewDeed = 'vote' | 'report' | 'reply-report';

/** Derives a 32-byte key for one purpose (HKDF, RFC 5869). */
export function derive(secret: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `curbside/${purpose}`, 32));
}

/** The keys by setting. New values use the first of each. */
export const bySetting = ({ sealing, index, authorship, session }: Secrets) => ({
  SEALING_KEYS: sealing.map(({ key }) => key),
  INDEX_KEY: index,
  AUTHORSHIP_KEY: authorship,
  SESSION_KEY: [session],
});

/**
 * An identifier for each key, by setting. It shows only whether two keys are equal: each key is 32
 * random bytes.
 */
export const fingerprints = (secrets: Secrets): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(bySetting(secrets)).map(([name, keys]) => [
      name,
      keys.map((key) => derive(key, 'fingerprint').toString('hex').slice(0, 16)),
    ]),
  );

/** HMAC-SHA-256 (FIPS 198-1), 32 bytes. Node 24 needs three times as long for a key in a buffer. */
export const hmac = (key: Buffer, value: string | Buffer): Buffer =>
  createHmac('sha256', createSecretKey(key)).update(value).digest();

/** What a database keeps of a key, to recognize it: 32 bytes, under a salt of their own. */
export const keyPrint = (key: Buffer, salt: Buffer): Buffer =>
  hmac(derive(key, 'database-print'), salt);

export type Keys = ReturnType<typeof deriveKeys>;

/** Derives all keys. The rest of the server uses only what this returns, never the secrets. */
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
    /** The blind index under every key in use. A row may have any of them during a rotation. */
    indexes: (purpose: IndexPurpose, value: string) =>
      secrets.index.map((secret) => index(secret, purpose, value)),
    sessionKey: (purpose: SessionPurpose) => keyFor(secrets.session, purpose),
    sessionIndex: (purpose: SessionPurpose, value: string) =>
      hmac(keyFor(secrets.session, purpose), value),
    /** An account's `review_authors.author_key`: 32 bytes. */
    authorKey: (userId: string) => authorKey(current(secrets.authorship), userId),
    /** The author key under every key in use. A row may have any of them during a rotation. */
    authorKeys: (userId: string) => secrets.authorship.map((secret) => authorKey(secret, userId)),
    /** The key of an account's vote on, or report of, a review. */
    deedKey: (deed: ReviewDeed, userId: string, reviewId: string) =>
      deedKey(current(secrets.authorship), deed, userId, reviewId),
    deedKeys: (deed: ReviewDeed, userId: string, reviewId: string) =>
      secrets.authorship.map((secret) => deedKey(secret, deed, userId, reviewId)),
    /** The keys for the salts of accounts. The first seals; all of them open. */
    get authorSalts() {
      return sealingKeys(secrets.authorship, 'author-salt');
    },
    /** The keys for what accounts have saved. */
    get savedLists() {
      return sealingKeys(secrets.authorship, 'saved-list');
    },
    /** The mark of something that an account has saved: 16 bytes under every key in use. */
    savedMarks: (userId: string, what: string) =>
      secrets.authorship.map((secret) =>
        hmac(keyFor(secret, 'saved-mark'), `${userId}/${what}`).subarray(0, 16),
      ),
    /** An account's name in write limits, whose times must not lead to the account. */
    writer: (userId: string) =>
      hmac(keyFor(current(secrets.authorship), 'write-limit'), userId).toString('base64url'),
    /**
     * Names the mailboxes of a domain in a month, where an account may work: under the current key,
     * then under older ones.
     */
    mailboxQuotas: (domainAndMonth: string) =>
      secrets.authorship.map((secret) => hmac(keyFor(secret, 'mailbox-quota'), domainAndMonth)),
    /** Replaces the secrets of a running server after a rotation. */
    replace(next: Secrets) {
      secrets = next;
      cache.clear();
    },
  };
}
