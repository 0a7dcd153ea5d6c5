/**
 * SQLSTATE codes of temporary errors (PostgreSQL, appendix A): serialization_failure,
 * deadlock_detected, too_many_connections, query_canceled (by statement_timeout),
 * lock_not_available, idle_in_transaction_session_timeout.
 */
const BUSY = new Set(['40001', '40P01', '53300', '57014', '55P03', '25P03']);

/** Messages of pg-pool errors, which have no code. */
const NO_CONNECTION = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

export const sqlStateOf = (error: unknown): string | undefined =>
  (error as { code?: string } | null)?.code;

/** Whether the same request may succeed a moment later. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && (BUSY.has(sqlStateOf(error) ?? '') || NO_CONNECTION.has(error.message));

/** Columns that refer to the account whose request it is. */
const CALLER = /_(user_id|decided_by|holder)_fkey$/;

/** Whether the account that makes the request was deleted meanwhile (foreign_key_violation). */
export const isCallerDeleted = (error: unknown): boolean =>
  sqlStateOf(error) === '23503' && CALLER.test((error as { constraint?: string }).constraint ?? '');
