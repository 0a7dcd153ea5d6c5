import { createHmac, hkdfSync } from 'node:crypto';

/** The secrets, each 32 bytes. Kept apart from each other, and outside the database. */
export interface Secrets {
  /** Seals identities. The first seals; all of them open, so that keys can be rotated. */
  readonly sealing: readonly { readonly id: string; readonly key: Buffer }[];
  /** Blind indexes: finding an account by e-mail or NPI, codes, reset links, limits. */
  readonly index: Buffer;
  /** Names the author of a review to nobody but the author's own session. */
  readonly authorship: Buffer;
  /** Signs access tokens, and names and seals sessions. */
  readonly session: Buffer;
}

/** What a keyed hash is for: one key per purpose, so that values of two tables never compare. */
type IndexPurpose = 'email' | 'npi' | 'one-time-code' | 'password-reset' | 'rate-limit' | 'decoy';
type SessionPurpose = 'access-token' | 'session-account' | 'session-seal' | 'refresh-token';

/** A 32-byte key for one purpose (HKDF, RFC 5869). */
function derive(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `curbside/${purpose}`, 32));
}

const hmac = (key: Buffer, value: string) => createHmac('sha256', key).update(value).digest();

export type Keys = ReturnType<typeof deriveKeys>;

/** Derives every key once; what it returns is all that the rest of the server may use. */
export function deriveKeys(secrets: Secrets) {
  const cache = new Map<string, Buffer>();
  const keyFor = (secret: Buffer, purpose: string) => {
    let key = cache.get(purpose);
    if (!key) {
      key = derive(secret, purpose);
      cache.set(purpose, key);
    }
    return key;
  };
  return {
    sealing: secrets.sealing.map(({ id, key }) => ({ id, key: derive(key, 'identity') })),
    /** The blind index of a value: HMAC-SHA-256, 32 bytes. */
    index: (purpose: IndexPurpose, value: string) => hmac(keyFor(secrets.index, purpose), value),
    sessionKey: (purpose: SessionPurpose) => keyFor(secrets.session, purpose),
    sessionIndex: (purpose: SessionPurpose, value: string) =>
      hmac(keyFor(secrets.session, purpose), value),
    /** `reviews.author_key` of an account: 32 bytes. */
    authorKey: (userId: string) => hmac(keyFor(secrets.authorship, 'authorship'), userId),
  };
}
