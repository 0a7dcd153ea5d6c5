import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  DAY_MS,
  FRESH_FACTOR_MS,
  OFFICE_PASS_MS,
  SESSION_ABSOLUTE_DAYS,
} from '#contract/limits.ts';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { seal, unsealOrNull } from '#server/anonymity/seal.ts';
import { isHttps } from '#server/config/config.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { Caller, OfficeGate } from '#server/plugins/access.ts';
import { factors, openFactor } from './factor.ts';

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

type GateDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>;

/**
 * Requires the caller's second factor. Throws `factor_required` without a code within the last 12
 * hours (`fresh`: 5 minutes), and in production `factor_setup_required` without a factor.
 */
export const officeGate =
  (deps: GateDeps): OfficeGate =>
  async (request, caller, kind) => {
    const { db, config } = deps;
    const sealed = await factors.find(db, caller.userId);
    if (sealed !== null) return requirePass(deps, request, caller, sealed, kind);
    if (config.production) throw new AppError('factor_setup_required');
  };

function requirePass(
  deps: GateDeps,
  request: FastifyRequest,
  caller: Caller,
  sealed: Buffer,
  kind: 'fresh' | 'pass',
): void {
  const { id } = openFactor(deps.keys, caller.userId, sealed);
  const age = ageOfPass(deps, request, caller, id);
  const limit = kind === 'fresh' ? FRESH_FACTOR_MS : OFFICE_PASS_MS;
  if (age === null || age >= limit) throw new AppError('factor_required');
}
