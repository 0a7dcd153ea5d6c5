import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, KNOWN_DEVICE_DAYS } from '#contract/limits.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { SealError, type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
import type { Deps } from '#server/deps.ts';

/** What a browser says of itself that has logged in before; only the server can read it. */
interface Proof {
  /** Keyed hash of the e-mail address that logged in. */
  email: string;
  /** Random: what its own wrong log-ins are counted by. */
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
 * Has the browser show from now on that it has logged in to the account of an address. Every
 * visitor gets such a cookie (`null`), unless there is one: that it is there says nothing.
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
    secure: config.publicUrl.startsWith('https:'),
    maxAge: (KNOWN_DEVICE_DAYS * DAY_MS) / 1000,
  });
}

/** The id of a device that has logged in to the account of an address; null for any other. */
export function knownDevice(
  { keys, clock }: Pick<ProofDeps, 'keys' | 'clock'>,
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  email: string,
): string | null {
  const cookie = cookies[COOKIE];
  if (cookie === undefined) return null;
  try {
    const sealed = Buffer.from(cookie, 'base64url');
    const proof = unseal<Proof>([proofKey(keys)], COOKIE, sealed);
    const isValid = proof.email === hashOf(keys, email) && toDay(clock()) < proof.until;
    return isValid ? proof.id : null;
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
