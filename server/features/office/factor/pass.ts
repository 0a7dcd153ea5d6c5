import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, SESSION_ABSOLUTE_DAYS } from '#contract/limits.ts';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { seal, unsealOrNull } from '#server/anonymity/seal.ts';
import { isHttps } from '#server/config/config.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';

/** The sealed content of the cookie: the factor whose code was entered, and when. */
interface Pass {
  factor: string;
  at: number;
}

const COOKIE = 'office_pass';
const passKey = (keys: Keys): SealingKey => ({ id: 'o', key: keys.sessionKey('office-pass') });

/** A pass belongs to one session of one account. Renewing its tokens does not change that. */
const contextOf = ({ userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>) =>
  `${userId}/${sessionId}`;

/**
 * Lets the session into the office. In a cookie, not in a token: scripts cannot read it, so an
 * attacker who steals a page's tokens does not get it, and everyone else's tokens stay unchanged.
 * It is useless without the access token, which no other site can send.
 */
export function givePass(
  { config, keys, clock }: Pick<Deps, 'config' | 'keys' | 'clock'>,
  reply: FastifyReply,
  caller: Caller,
  factor: string,
): void {
  const pass: Pass = { factor, at: clock().getTime() };
  reply.setCookie(COOKIE, seal(passKey(keys), contextOf(caller), pass).toString('base64url'), {
    path: '/api',
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(config),
    // Once it no longer opens the office, it shows that this session has entered a correct code.
    maxAge: (SESSION_ABSOLUTE_DAYS * DAY_MS) / 1000,
  });
}

/** How long ago a code of this factor was entered in this session; null if never. */
export function ageOfPass(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  caller: Caller,
  factor: string,
): number | null {
  const cookie = cookies[COOKIE];
  if (cookie === undefined) return null;
  const sealed = Buffer.from(cookie, 'base64url');
  const pass = unsealOrNull<Pass>([passKey(keys)], contextOf(caller), sealed);
  return pass?.factor === factor ? clock().getTime() - pass.at : null;
}
