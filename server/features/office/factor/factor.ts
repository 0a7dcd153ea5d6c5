import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { newPaperCode, readPaperCode } from '#contract/accounts/recovery-code.ts';
import { FACTOR_RECOVERY_CODES } from '#contract/limits.ts';
import type { WrongCodes } from '#contract/office/staff.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { SealError } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { sealedTable } from '#server/db/sealed-table.ts';

/** A second factor, as sealed. */
export interface Factor {
  /** Random. A pass is valid for one factor only. */
  id: string;
  /** In base32. */
  secret: string;
  /** The last step whose code was used (RFC 6238, section 5.2: a code counts once). */
  step: number;
  /** Keyed hashes of the remaining recovery codes. */
  recovery: string[];
  /** Wrong codes entered since the last correct one. */
  wrong: WrongCodes | null;
}

/** Fits ten recovery codes, so that the length does not show how many are left. */
const BLOCK_BYTES = 1024;
const PERIOD_S = 30;
/** How many steps a phone's clock may be off. */
const DRIFT = 1;
/** 50 bits: guesses are limited. */
const RECOVERY_LENGTH = 10;

export const factors = sealedTable<Factor>({
  table: 'staff_factors',
  context: 'staff-factor',
  blockBytes: BLOCK_BYTES,
  keysOf: (keys) => keys.sealing,
});

/** Throws if its key is gone: a factor must not be skipped. */
export function openFactor(keys: Keys, userId: string, sealed: Buffer): Factor {
  const factor = factors.open(keys, userId, sealed);
  if (factor === null) throw new SealError('no key opens this second factor');
  return factor;
}

/** TOTP (RFC 6238) with the parameters that all authenticator apps assume: SHA-1, 6 digits, 30 s. */
const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Curbside',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  });

/** 160 bits, as RFC 4226 recommends. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The content of the QR code. */
export const uriOf = (secret: string, email: string): string => totpOf(secret, email).toString();

const tokenOf = (code: string) => code.replaceAll(' ', '');

/** Whether it looks like an app's code. Anything else is treated as a recovery code. */
export const isFromApp = (code: string): boolean => /^\d{6}$/.test(tokenOf(code));

/** The step of a code; null if it is wrong. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  if (!isFromApp(code)) return null;
  const token = tokenOf(code);
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: DRIFT });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta;
}

const hashOf = (keys: Keys, userId: string, code: string) =>
  keys.sessionIndex('factor-recovery', `${userId}/${code}`).toString('base64');

/** Ten recovery codes of 50 bits, and their hashes. */
export function newRecoveryCodes(keys: Keys, userId: string) {
  const codes = Array.from({ length: FACTOR_RECOVERY_CODES }, () => newPaperCode(RECOVERY_LENGTH));
  return { codes, recovery: codes.map((code) => hashOf(keys, userId, readPaperCode(code))) };
}

export const newFactor = (secret: string, step: number, recovery: string[]): Factor => ({
  id: randomBytes(9).toString('base64url'),
  secret,
  step,
  recovery,
  wrong: null,
});

/** The factor after a code was entered, and whether the code was correct. */
export function withEntered(
  keys: Keys,
  userId: string,
  factor: Factor,
  code: string,
  now: Date,
): { isRight: boolean; after: Factor } {
  const used = withUsed(keys, userId, factor, code, now);
  if (used) return { isRight: true, after: { ...used, wrong: null } };
  const wrong = { count: (factor.wrong?.count ?? 0) + 1, last_on: toDay(now) };
  return { isRight: false, after: { ...factor, wrong } };
}

/** The factor after a code has been used; null if the code is wrong or has been used. */
function withUsed(
  keys: Keys,
  userId: string,
  factor: Factor,
  code: string,
  now: Date,
): Factor | null {
  const step = stepOf(factor.secret, code, now);
  if (step !== null) return step > factor.step ? { ...factor, step } : null;
  const hash = hashOf(keys, userId, readPaperCode(code));
  const recovery = factor.recovery.filter((left) => left !== hash);
  return recovery.length < factor.recovery.length ? { ...factor, recovery } : null;
}

/** The accounts that have a second factor. */
export async function selectFactorOwners(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('staff_factors').select('user_id').execute();
  return rows.map(({ user_id }) => user_id);
}

/** Stores a factor. Returns whether it replaced an earlier one. */
export async function putFactor(trx: Db, userId: string, sealed: Buffer): Promise<boolean> {
  const { isNew } = await trx
    .insertInto('staff_factors')
    .values({ user_id: userId, sealed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed }))
    // `xmax` is 0 only for a row that this statement inserted.
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return !isNew;
}
