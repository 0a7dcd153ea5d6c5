import type { Keys } from '#server/anonymity/keys.ts';
import { SealError, type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';

/** What a refresh token says of itself; only the server can read it. */
export interface RefreshClaims {
  userId: string;
  sessionId: string;
  secret: string;
}

const CONTEXT = 'refresh';

const tokenKey = (keys: Keys): SealingKey => ({ id: 'r', key: keys.sessionKey('refresh-token') });

export function sealRefreshToken(keys: Keys, claims: RefreshClaims): string {
  return seal(tokenKey(keys), CONTEXT, claims).toString('base64url');
}

/** What a token says, or null for one that is forged or not a token. */
export function openRefreshToken(keys: Keys, token: string): RefreshClaims | null {
  try {
    return unseal<RefreshClaims>([tokenKey(keys)], CONTEXT, Buffer.from(token, 'base64url'));
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
