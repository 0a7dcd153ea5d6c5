import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { newPaperCode, readPaperCode } from '#contract/accounts/recovery-code.ts';
import { FACTOR_RECOVERY_CODES, FACTOR_SETUP_MS } from '#contract/limits.ts';
import type { FactorSetup, FactorStatus, WrongCodes } from '#contract/office/staff.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { openUnexpired, SealError, sealWithExpiry } from '#server/anonymity/seal.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { sealedTable } from '#server/db/sealed-table.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { proveFreshness } from '#server/features/accounts/session/authentication.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import { mailStaffChange } from '../staff-names.ts';

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
const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The content of the QR code. */
const uriOf = (secret: string, email: string): string => totpOf(secret, email).toString();

const tokenOf = (code: string) => code.replaceAll(' ', '');

/** Whether it looks like an app's code. Anything else is treated as a recovery code. */
const isFromApp = (code: string): boolean => /^\d{6}$/.test(tokenOf(code));

/** The step of a code; null if it is wrong. */
function stepOf(secret: string, code: string, now: Date): number | null {
  if (!isFromApp(code)) return null;
  const token = tokenOf(code);
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: DRIFT });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta;
}

const hashOf = (keys: Keys, userId: string, code: string) =>
  keys.sessionIndex('factor-recovery', `${userId}/${code}`).toString('base64');

/** Ten recovery codes of 50 bits, and their hashes. */
function newRecoveryCodes(keys: Keys, userId: string) {
  const codes = Array.from({ length: FACTOR_RECOVERY_CODES }, () => newPaperCode(RECOVERY_LENGTH));
  return { codes, recovery: codes.map((code) => hashOf(keys, userId, readPaperCode(code))) };
}

const newFactor = (secret: string, step: number, recovery: string[]): Factor => ({
  id: randomBytes(9).toString('base64url'),
  secret,
  step,
  recovery,
  wrong: null,
});

/** The factor after a code was entered, and whether the code was correct. */
function withEntered(
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
async function putFactor(trx: Db, userId: string, sealed: Buffer): Promise<boolean> {
  const { isNew } = await trx
    .insertInto('staff_factors')
    .values({ user_id: userId, sealed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed }))
    // `xmax` is 0 only for a row that this statement inserted.
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return !isNew;
}

type FactorDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>;

const setupContext = ({ userId, sessionId }: Caller) => `factor-setup/${userId}/${sessionId}`;

export async function factorStatus(
  { config, db, keys }: FactorDeps,
  { userId }: Caller,
): Promise<FactorStatus> {
  const sealed = await factors.find(db, userId);
  const factor = sealed && openFactor(keys, userId, sealed);
  return {
    is_set_up: factor !== null,
    is_required: config.production,
    recovery_codes_left: factor?.recovery.length ?? 0,
    wrong_codes: factor?.wrong ?? null,
  };
}

/**
 * Creates a secret, which the server does not store. Throws `confirm_password` if the login is not
 * recent and no password is given.
 */
export async function beginSetup(
  deps: FactorDeps,
  limits: RateLimits,
  caller: Caller,
  password: string | undefined,
): Promise<FactorSetup> {
  const { db, keys, clock } = deps;
  await proveFreshness(deps, limits, caller, password);
  const profile = await loadProfile(keys, db, caller.userId);
  if (!profile) throw new AppError('authentication_required');
  const secret = newSecret();
  const expiry = { now: clock(), ttlMs: FACTOR_SETUP_MS };
  const setup = sealWithExpiry(keys, setupContext(caller), secret, expiry).toString('base64url');
  return { secret, uri: uriOf(secret, profile.user.email), setup };
}

/** Stores the factor once the app has produced a correct code. Returns its id and recovery codes. */
export async function confirmSetup(
  deps: FactorDeps,
  limits: RateLimits,
  caller: Caller,
  { setup, code }: { setup: string; code: string },
): Promise<{ id: string; codes: string[] }> {
  const { db, keys, clock } = deps;
  const { userId, sessionId } = caller;
  const sealed = Buffer.from(setup, 'base64url');
  const secret = openUnexpired<string>(keys, setupContext(caller), sealed, clock());
  if (secret === null) {
    const detail = 'This code is for a set-up that has expired. Please start again.';
    throw new AppError('invalid_factor_code', { detail });
  }
  // Not by account: the caller already has the secret.
  const step = await limits.attempt(`factor/${userId}`, [['factorCode', sessionId]], async () =>
    stepOf(secret, code, clock()),
  );
  if (step === null) throw new AppError('invalid_factor_code');
  const { codes, recovery } = newRecoveryCodes(keys, userId);
  const factor = newFactor(secret, step, recovery);
  await inTransaction(db, async (trx) => {
    const isReplaced = await putFactor(trx, userId, factors.seal(keys, userId, factor));
    await mailStaffChange(deps, trx, userId, { factor: isReplaced ? 'replaced' : 'set-up' });
    await recordAct(trx, clock, { actor: userId, action: 'factor.set-up', subject: userId });
  });
  return { id: factor.id, codes };
}

/** The budgets that a wrong code uses up (docs/operations.md, "Rate limits"). */
function budgetsOf({ userId, sessionId }: Caller, code: string, isKnown: boolean): Budget[] {
  if (!isFromApp(code)) return [['recoveryCode', sessionId]];
  const ofSession: Budget = ['factorCode', sessionId];
  return isKnown ? [ofSession] : [ofSession, ['factorCodeAccount', userId]];
}

/**
 * Consumes a code, and returns the factor's id and the wrong codes before this one. `isKnown` says
 * whether the session has entered a code before. Throws `invalid_factor_code`.
 */
export async function spendCode(
  { db, keys, clock }: FactorDeps,
  limits: RateLimits,
  caller: Caller,
  code: string,
  isKnown: (factorId: string) => boolean,
): Promise<{ id: string; wrong: WrongCodes | null }> {
  const { userId } = caller;
  const sealed = await factors.find(db, userId);
  if (sealed === null) throw new AppError('invalid_factor_code');
  const { id } = openFactor(keys, userId, sealed);
  const budgets = budgetsOf(caller, code, isKnown(id));
  const before = await limits.attempt(`factor/${userId}`, budgets, async () => {
    for (;;) {
      const current = await factors.find(db, userId);
      if (current === null) return null;
      const factor = openFactor(keys, userId, current);
      const { isRight, after } = withEntered(keys, userId, factor, code, clock());
      // Another request may have used this code, or another one, in between: retry.
      const isStored = await factors.replace(
        db,
        userId,
        current,
        factors.seal(keys, userId, after),
      );
      if (isStored) return isRight ? factor : null;
    }
  });
  if (!before) throw new AppError('invalid_factor_code');
  return before;
}

/**
 * Creates new recovery codes, and invalidates the earlier ones. Throws `not_found` without a
 * factor.
 */
export async function renewRecoveryCodes(
  { db, keys }: FactorDeps,
  { userId }: Caller,
): Promise<string[]> {
  const { codes, recovery } = newRecoveryCodes(keys, userId);
  for (;;) {
    const sealed = await factors.find(db, userId);
    if (sealed === null) throw new AppError('not_found');
    const factor = { ...openFactor(keys, userId, sealed), recovery };
    if (await factors.replace(db, userId, sealed, factors.seal(keys, userId, factor))) return codes;
  }
}

export async function removeFactor(deps: FactorDeps, { userId }: Caller): Promise<void> {
  const { db, clock } = deps;
  await inTransaction(db, async (trx) => {
    if (!(await factors.remove(trx, userId))) return;
    await mailStaffChange(deps, trx, userId, { factor: 'removed' });
    await recordAct(trx, clock, { actor: userId, action: 'factor.remove', subject: userId });
  });
}
