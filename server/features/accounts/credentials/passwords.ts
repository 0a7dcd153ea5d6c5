import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hashRaw } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import fastq from 'fastq';
import { COMMON_PASSWORD } from '#contract/accounts/accounts.ts';
import { derive } from '#server/anonymity/keys.ts';
import type { Config } from '#server/config/config.ts';
import { AppError, unavailable } from '#server/errors/app-error.ts';

const COMMON_COUNT = 10_000;
/** Obvious guesses for this site. */
const OUR_WORDS = ['curbside', 'physician', 'hospital', 'resident', 'residency', 'fellowship'];
/** The list is lowercase, most common first. */
const common = new Set([...dictionary['passwords-common'].slice(0, COMMON_COUNT), ...OUR_WORDS]);

/**
 * Whether a password is a common one, possibly decorated. Few common passwords meet the password
 * rules, so people add what the rules require, and `Password1!` is just as easy to guess.
 */
export const isCommonPassword = (password: string) =>
  plainForms(password).some((form) => common.has(form));

/** The lowercase password, with and without surrounding decoration and substituted letters. */
function plainForms(password: string): string[] {
  const lower = password.toLowerCase();
  const [word = ''] = lower.match(/\p{L}(?:.*\p{L})?/su) ?? [];
  const [unmarked = ''] = lower.match(/[\p{L}\p{Nd}](?:.*[\p{L}\p{Nd}])?/su) ?? [];
  // Next to a short word, many other characters may be secret enough.
  const isMostlyWord = word.length >= lower.length - word.length;
  const forms = [lower, unmarked, ...(isMostlyWord ? [word] : [])];
  return [...forms, ...forms.map(lettersFor)];
}

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** `p@ssw0rd` -> `password`. */
const lettersFor = (text: string) => text.replace(/[013457@$!]/g, (sign) => LETTERS[sign] ?? sign);

/** Algorithm.Argon2id: a const enum, which type stripping cannot import. */
const ARGON2ID = 2;
const LANES = 1;

/** Rejects easily guessed passwords. */
export function refuseCommonPassword(field: string, password: string): void {
  if (!isCommonPassword(password)) return;
  throw new AppError('validation_error', { fields: { [field]: [COMMON_PASSWORD] } });
}

/** Keyboards compose accented letters differently (NIST SP 800-63B, section 5.1.1.2). */
const composed = (password: string) => password.normalize('NFKC');

/** Concurrent hashes: each takes 19 MiB and one of libuv's four threads. */
const AT_ONCE = Math.min(3, availableParallelism());
/** A few seconds of work. Requests are rejected while the queue is longer. */
export const HASHES_WAITING_MAX = 500;
const RETRY_AFTER_SECONDS = 5;

const queue = fastq.promise((work: () => Promise<void>) => work(), AT_ONCE);

/** Queues work on a password. Throws `unavailable` if the queue is full. */
async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (queue.length() >= HASHES_WAITING_MAX) throw unavailable(RETRY_AFTER_SECONDS);
  return new Promise((resolve, reject) => {
    void queue.push(() => work().then(resolve, reject));
  });
}

/** Derived from a password: a verifier that is stored, and a key that is not. */
export interface DerivedPassword {
  /** The format of `users.password_hash`: `$argon2id$v=19$m=…,t=…,p=…$salt$verifier`. */
  readonly hash: string;
  /** 32 bytes that encrypt the account's author secret. */
  readonly wrappingKey: Buffer;
}

const SALT_BYTES = 16;
const VERIFIER_BYTES = 32;
const FORMAT = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,4}),p=1\$([\w-]{22})\$([\w-]{43})$/;

/** How costly hashing is. Stored hashes name the cost that they were made with. */
type WithCost = { readonly config: Pick<Config, 'passwordCost'> };

/** The argon2id of a password, 32 bytes. */
const argon2id = (password: string, salt: Buffer, cost: Config['passwordCost']) =>
  queued(() =>
    hashRaw(composed(password), { algorithm: ARGON2ID, parallelism: LANES, ...cost, salt }),
  );

/** Derives both from one argon2id run (HKDF, RFC 5869), so that neither reveals the other. */
async function derivePassword(password: string, salt: Buffer, cost: Config['passwordCost']) {
  const raw = await argon2id(password, salt, cost);
  return {
    verifier: derive(raw, 'password-verifier'),
    wrappingKey: derive(raw, 'password-wrapping'),
  };
}

export async function hashPassword(
  { config }: WithCost,
  password: string,
): Promise<DerivedPassword> {
  const salt = randomBytes(SALT_BYTES);
  const { memoryCost, timeCost } = config.passwordCost;
  const { verifier, wrappingKey } = await derivePassword(password, salt, config.passwordCost);
  const costs = `m=${memoryCost},t=${timeCost},p=${LANES}`;
  const [made, check] = [salt, verifier].map((bytes) => bytes.toString('base64url'));
  const hash = `$argon2id$v=19$${costs}$${made}$${check}`;
  return { hash, wrappingKey };
}

/** Deterministic: hashes a password under a given salt. */
export const derivePasswordKey = ({ config }: WithCost, password: string, salt: Buffer) =>
  argon2id(password, salt, config.passwordCost);

/** The hash of a random password, which nobody can sign in with. */
export const unusablePassword = (deps: WithCost) => hashPassword(deps, randomUUID());

/**
 * Returns the wrapping key if the password matches `stored`, otherwise null. Takes just as long
 * without an account (`null`), so that timing does not reveal whether there is one.
 */
export async function openPassword(
  { config }: WithCost,
  stored: string | null,
  password: string,
): Promise<Buffer | null> {
  const { salt, verifier, cost } = partsOf(stored) ?? {
    salt: Buffer.alloc(SALT_BYTES),
    verifier: Buffer.alloc(VERIFIER_BYTES),
    cost: config.passwordCost,
  };
  const derived = await derivePassword(password, salt, cost);
  const matches = timingSafeEqual(derived.verifier, verifier);
  return matches && stored !== null ? derived.wrappingKey : null;
}

function partsOf(stored: string | null) {
  const [, m, t, salt = '', verifier = ''] = FORMAT.exec(stored ?? '') ?? [];
  if (verifier === '') return null;
  return {
    salt: Buffer.from(salt, 'base64url'),
    verifier: Buffer.from(verifier, 'base64url'),
    cost: { memoryCost: Number(m), timeCost: Number(t) },
  };
}
