import type { LockRequest } from '#contract/review-lock.ts';
import { authFailure, fieldFailures } from '#web/features/accounts/failures.ts';
import { ApiError } from '#web/lib/transport-error.ts';

interface LockFailure {
  field: keyof LockRequest | 'root';
  message: string;
}

const FIELDS = ['recovery_code', 'password'] as const;

/** Where a failure belongs on the forms that lock and unlock, and what to say. */
export function lockFailure(error: unknown, fallback: string, noAnswer = fallback): LockFailure {
  const faults = new Map(fieldFailures(error));
  for (const field of FIELDS) {
    const message = faults.get(field);
    if (message !== undefined) return { field, message };
  }
  const isLost = error instanceof ApiError && error.status === null;
  return { field: 'root', message: authFailure(error, isLost ? noAnswer : fallback) };
}
