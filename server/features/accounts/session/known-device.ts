import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, KNOWN_DEVICE_DAYS } from '#contract/limits.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { seal, unsealOrNull } from '#server/anonymity/seal.ts';
import { isHttps } from '#server/config/config.ts';
import type { Deps } from '#server/deps.ts';

/** The sealed content of the cookie. */
interface Proof {
  /** Keyed hash of the email address that signed in. */
  email: string;
  /** Random. The device's wrong logins are counted by it. */
  id: string;
  /** `YYYY-MM-DD`. */
  until: string;
}

type ProofDeps = Pick<Deps, 'config' | 'keys' | 'clock'>;

const COOKIE = 'known_device';
const proofKey = (keys: Keys): SealingKey => ({ id: 'd', key: keys.sessionKey('known-device') });
const hashOf = (keys: Keys, email: string) =>
  keys.sessionIndex('known-device', email.toLowerCase()).toString('base64');

/**
 * Marks the browser as one that has signed in with this address. Every visitor gets such a cookie
 * (`null`), so that having one reveals nothing.
 */
export function rememberDevice(
  { config, keys, clock }: ProofDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string | null,
): void {
  if (email === null && request.cookies[COOKIE] !== undefined) return;
  const proof: Proof = {
    email: email === null ? randomBytes(32).toString('base64') : hashOf(keys, email),
    id: randomBytes(16).toString('base64url'),
    until: dayAfter(clock(), KNOWN_DEVICE_DAYS),
  };
  reply.setCookie(COOKIE, seal(proofKey(keys), COOKIE, proof).toString('base64url'), {
    path: '/api',
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(config),
    maxAge: (KNOWN_DEVICE_DAYS * DAY_MS) / 1000,
  });
}

/** The id of a device that has signed in with this address; null for any other device. */
export function knownDevice(
  { keys, clock }: Pick<ProofDeps, 'keys' | 'clock'>,
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  email: string,
): string | null {
  const cookie = cookies[COOKIE];
  if (cookie === undefined) return null;
  const sealed = Buffer.from(cookie, 'base64url');
  const proof = unsealOrNull<Proof>([proofKey(keys)], COOKIE, sealed);
  if (!proof) return null;
  return proof.email === hashOf(keys, email) && toDay(clock()) < proof.until ? proof.id : null;
}
