import { errors, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_MS } from '#contract/limits.ts';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { NONCE_BYTES, seal, unseal, unsealOrNull } from '#server/anonymity/seal.ts';
import type { Deps } from '#server/deps.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'curbside';

export const inSeconds = (ms: number) => Math.floor(ms / 1000);

export interface AccessClaims {
  userId: string;
  sessionId: string;
  /** When the password was entered, in seconds (`auth_time` of OpenID Connect Core). */
  authTime: number;
  /** For accounts with locked reviews. Stored only in tokens, and derived from the password. */
  authorSecret: Buffer | null;
}

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
/** Fit all claims, so that tokens with and without an author secret have the same length. */
const ACCESS_BLOCK_BYTES = 64;
const REFRESH_BLOCK_BYTES = 384;

/** Seals the part of an access token that its bearer cannot read. */
const sealKey = (keys: Keys): SealingKey => ({ id: 'a', key: keys.sessionKey('author-secret') });
const refreshKey = (keys: Keys): SealingKey => ({ id: 'r', key: keys.sessionKey('refresh-token') });

const encoded = (secret: Buffer | null) => secret?.toString('base64') ?? null;
const decoded = (author: string | null) => (author === null ? null : Buffer.from(author, 'base64'));

/** A JSON Web Token (RFC 7519), valid for 15 minutes or until the session ends. */
export function signAccessToken(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  { userId, sessionId, authTime, authorSecret }: AccessClaims,
  sessionEnd: Date,
) {
  const now = clock().getTime();
  const expiresAt = Math.min(now + ACCESS_TOKEN_MS, sessionEnd.getTime());
  const value = { author: encoded(authorSecret) };
  const sealed = seal(sealKey(keys), sessionId, value, { blockBytes: ACCESS_BLOCK_BYTES });
  return new SignJWT({ sid: sessionId, auth_time: authTime, author: sealed.toString('base64url') })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setSubject(userId)
    .setIssuedAt(inSeconds(now))
    .setExpirationTime(inSeconds(expiresAt))
    .sign(keys.sessionKey('access-token'));
}

/** The claims of a valid token; null if it is expired, forged, or malformed. */
export async function readAccessToken(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  token: string,
): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, keys.sessionKey('access-token'), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      currentDate: clock(),
    });
    const { sub: userId, sid: sessionId, auth_time: authTime, author: sealed } = payload;
    if (!userId || typeof sessionId !== 'string' || typeof authTime !== 'number') return null;
    if (typeof sealed !== 'string') return null;
    const bytes = Buffer.from(sealed, 'base64url');
    const { author } = unseal<{ author: string | null }>([sealKey(keys)], sessionId, bytes);
    return { userId, sessionId, authTime, authorSecret: decoded(author) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** Deterministic, so that the successor can be recomputed within the grace period instead of stored. */
export function sealRefreshToken(keys: Keys, claims: RefreshClaims): string {
  const { userId, sessionId, authTime, authorSecret, secret, issuedAt } = claims;
  const value = { userId, sessionId, authTime, author: encoded(authorSecret), secret, issuedAt };
  const nonce = keys.sessionIndex('refresh-nonce', JSON.stringify(value)).subarray(0, NONCE_BYTES);
  const options = { nonce, blockBytes: REFRESH_BLOCK_BYTES };
  return seal(refreshKey(keys), CONTEXT, value, options).toString('base64url');
}

/** The claims of a token; null if it is forged or malformed. */
export function openRefreshToken(keys: Keys, token: string): RefreshClaims | null {
  type Sealed = Omit<RefreshClaims, 'authorSecret'> & { author: string | null };
  const opened = unsealOrNull<Sealed>([refreshKey(keys)], CONTEXT, Buffer.from(token, 'base64url'));
  if (!opened) return null;
  const { author, ...claims } = opened;
  return { ...claims, authorSecret: decoded(author) };
}
