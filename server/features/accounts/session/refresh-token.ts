import type { Keys } from '#server/anonymity/keys.ts';
import { NONCE_BYTES, SealError, type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
import type { AccessClaims } from './access-token.ts';

/**
 * What a refresh token says of itself; only the server can read it. The browser alone keeps exact
 * times: in the database they would tell when an account was here.
 */
export interface RefreshClaims extends AccessClaims {
  secret: string;
  /** Milliseconds since 1970. */
  issuedAt: number;
}

const CONTEXT = 'refresh';
/** Room for all claims: a token with an author secret is as long as one without. */
const BLOCK_BYTES = 384;

const tokenKey = (keys: Keys): SealingKey => ({ id: 'r', key: keys.sessionKey('refresh-token') });

/** The same claims give the same token: within the grace it is made again, not stored. */
export function sealRefreshToken(keys: Keys, claims: RefreshClaims): string {
  const { userId, sessionId, authTime, authorSecret, secret, issuedAt } = claims;
  const author = authorSecret?.toString('base64') ?? null;
  const value = { userId, sessionId, authTime, author, secret, issuedAt };
  const nonce = keys.sessionIndex('refresh-nonce', JSON.stringify(value)).subarray(0, NONCE_BYTES);
  return seal(tokenKey(keys), CONTEXT, value, { nonce, blockBytes: BLOCK_BYTES }).toString(
    'base64url',
  );
}

type Sealed = Omit<RefreshClaims, 'authorSecret'> & { author: string | null };

/** What a token says, or null for one that is forged or not a token. */
export function openRefreshToken(keys: Keys, token: string): RefreshClaims | null {
  try {
    const sealed = Buffer.from(token, 'base64url');
    const { author, ...claims } = unseal<Sealed>([tokenKey(keys)], CONTEXT, sealed);
    return { ...claims, authorSecret: author === null ? null : Buffer.from(author, 'base64') };
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
