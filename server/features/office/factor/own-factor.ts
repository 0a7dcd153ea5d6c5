import { FACTOR_SETUP_MS } from '#contract/limits.ts';
import type { FactorSetup, FactorStatus, WrongCodes } from '#contract/office/staff.ts';
import { openUnexpired, sealWithExpiry } from '#server/anonymity/seal.ts';
import { recordAct } from '#server/audit-log.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { proveFreshness } from '#server/features/accounts/session/prove-password.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import { mailStaffChange } from '../staff-names.ts';
import {
  factors,
  isFromApp,
  newFactor,
  newRecoveryCodes,
  newSecret,
  openFactor,
  putFactor,
  stepOf,
  uriOf,
  withEntered,
} from './factor.ts';

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
