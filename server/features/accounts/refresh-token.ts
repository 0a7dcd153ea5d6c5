import type { Keys } from '#server/anonymity/keys.ts';
import { NONCE_BYTES, SealError, type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
import type { AccessClaims } from './access-token.ts';

/**
 * What a refresh token says of itself; only the server can read it. The browser alone keeps the
 * time of the log-in: in the database it would tell when an account was here.
 */
export interface RefreshClaims extends AccessClaims {
  secret: string;
}

type StoredClaims = Omit<RefreshClaims, 'authTime'> & Partial<Pick<RefreshClaims, 'authTime'>>;

const CONTEXT = 'refresh';

const tokenKey = (keys: Keys): SealingKey => ({ id: 'r', key: keys.sessionKey('refresh-token') });

/** The same claims give the same token: within the grace it is made again, not stored. */
export function sealRefreshToken(keys: Keys, claims: RefreshClaims): string {
  const { userId, sessionId, authTime, secret } = claims;
  const value: RefreshClaims = { userId, sessionId, authTime, secret };
  const nonce = keys.sessionIndex('refresh-nonce', JSON.stringify(value)).subarray(0, NONCE_BYTES);
  return seal(tokenKey(keys), CONTEXT, value, { nonce }).toString('base64url');
}

/** What a token says, or null for one that is forged or not a token. */
export function openRefreshToken(keys: Keys, token: string): RefreshClaims | null {
  try {
    const sealed = Buffer.from(token, 'base64url');
    // A token from before this claim existed stands for a log-in of long ago.
    return { authTime: 0, ...unseal<StoredClaims>([tokenKey(keys)], CONTEXT, sealed) };
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
