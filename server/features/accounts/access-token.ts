import { errors, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_MS } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'curbside';

export const inSeconds = (ms: number) => Math.floor(ms / 1000);

export interface AccessClaims {
  userId: string;
  sessionId: string;
  /** When the password was typed, in seconds. OpenID Connect Core calls it `auth_time`. */
  authTime: number;
}

/** A JSON Web Token (RFC 7519) good for 15 minutes, or until its session ends. */
export function signAccessToken(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  claims: AccessClaims,
  sessionEnd: Date,
) {
  const now = clock().getTime();
  const expiresAt = Math.min(now + ACCESS_TOKEN_MS, sessionEnd.getTime());
  return new SignJWT({ sid: claims.sessionId, auth_time: claims.authTime })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setSubject(claims.userId)
    .setIssuedAt(inSeconds(now))
    .setExpirationTime(inSeconds(expiresAt))
    .sign(keys.sessionKey('access-token'));
}

/** What a valid token says, or null for one that is expired, forged or not a token. */
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
    const { sub, sid, auth_time } = payload;
    if (!sub || typeof sid !== 'string' || typeof auth_time !== 'number') return null;
    return { userId: sub, sessionId: sid, authTime: auth_time };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
