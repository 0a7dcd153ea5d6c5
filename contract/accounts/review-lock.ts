import * as z from 'zod/mini';
import { presentPassword, Tokens, WRONG_PASSWORD } from './accounts.ts';
import { RecoveryCode } from './recovery-code.ts';

export const ReviewLock = z.strictObject({
  /** The caller's reviews are keyed by a secret that the server does not store. */
  locked: z.boolean(),
  /** The caller may lock reviews: a verified doctor, by proof if proofs are required. */
  can_lock: z.boolean(),
});
export type ReviewLock = z.infer<typeof ReviewLock>;

const password = presentPassword(WRONG_PASSWORD);

/**
 * `POST /auth/reviews/lock/`. The browser generates the code, shows it, and sends what the user
 * typed back from paper. If the reviews are already locked, this replaces the code.
 */
export const LockRequest = z.strictObject({ password, recovery_code: RecoveryCode });
export type LockRequest = z.infer<typeof LockRequest>;

/** `POST /auth/reviews/unlock/`. */
export const UnlockRequest = z.strictObject({ password });
export type UnlockRequest = z.infer<typeof UnlockRequest>;

/** Ends every session; these tokens start a new one. */
export const LockResponse = z.strictObject({ ...Tokens.shape, message: z.string() });
export type LockResponse = z.infer<typeof LockResponse>;

export const LOCK_MESSAGES = {
  locked: 'Your reviews are locked. All other sessions have been signed out.',
  codeReplaced: 'Your new recovery code is in use. All other sessions have been signed out.',
  unlocked: 'Your reviews are unlocked. All other sessions have been signed out.',
} as const;
