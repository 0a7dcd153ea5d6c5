import type { Keys } from '#server/anonymity/keys.ts';
import { NONCE_BYTES, type SealingKey, seal, unsealOrNull } from '#server/anonymity/seal.ts';
import type { AccessClaims } from './access-token.ts';

/**
 * The content of a refresh token, which only the server can read. Exact times are kept only in the
 * browser: in the database they would show when the user was active.
 */
export interface RefreshClaims extends AccessClaims {
  secret: string;
  /** Unix time in milliseconds. */
  issuedAt: number;
}

const CONTEXT = 'refresh';
/** Fits all claims, so that tokens with and without an author secret have the same length. */
const BLOCK_BYTES = 384;

const tokenKey = (keys: Keys): SealingKey => ({ id: 'r', key: keys.sessionKey('refresh-token') });

/**
 * Deterministic, so that the successor can be computed again within the grace period instead of
 * stored.
 */
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

/** The claims of a token; null if it is forged or malformed. */
export function openRefreshToken(keys: Keys, token: string): RefreshClaims | null {
  const opened = unsealOrNull<Sealed>([tokenKey(keys)], CONTEXT, Buffer.from(token, 'base64url'));
  if (!opened) return null;
  const { author, ...claims } = opened;
  return { ...claims, authorSecret: author === null ? null : Buffer.from(author, 'base64') };
}
