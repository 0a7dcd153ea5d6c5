import { errors, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_MS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
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

/** The part of a token that its bearer cannot read. */
interface Sealed {
  author: string | null;
}

const sealKey = (keys: Keys): SealingKey => ({ id: 'a', key: keys.sessionKey('author-secret') });
/** Tokens with and without a secret have the same length. */
const BLOCK_BYTES = 64;

/** A JSON Web Token (RFC 7519), valid for 15 minutes or until the session ends. */
export function signAccessToken(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  claims: AccessClaims,
  sessionEnd: Date,
) {
  const now = clock().getTime();
  const expiresAt = Math.min(now + ACCESS_TOKEN_MS, sessionEnd.getTime());
  const { userId, sessionId, authTime, authorSecret } = claims;
  const value: Sealed = { author: authorSecret?.toString('base64') ?? null };
  const sealed = seal(sealKey(keys), sessionId, value, { blockBytes: BLOCK_BYTES });
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
    const { sub, sid, auth_time, author } = payload;
    if (!sub || typeof sid !== 'string' || typeof auth_time !== 'number') return null;
    if (typeof author !== 'string') return null;
    return {
      userId: sub,
      sessionId: sid,
      authTime: auth_time,
      authorSecret: open(keys, sid, author),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function open(keys: Keys, sessionId: string, sealed: string): Buffer | null {
  const { author } = unseal<Sealed>([sealKey(keys)], sessionId, Buffer.from(sealed, 'base64url'));
  return author === null ? null : Buffer.from(author, 'base64');
}
