/**
 * SQLSTATE codes of temporary errors (PostgreSQL, appendix A): serialization_failure,
 * deadlock_detected, too_many_connections, query_canceled (by statement_timeout),
 * lock_not_available, idle_in_transaction_session_timeout.
 */
const BUSY = new Set(['40001', '40P01', '53300', '57014', '55P03', '25P03']);

/**
 * The database is starting, stopping, failing over, or does not exist yet: socket errors, and
 * SQLSTATE connection_exception (08), read_only_sql_transaction (a standby), invalid_catalog_name,
 * and the server's shutdown and start (57P01 to 57P03).
 */
const AWAY =
  /^(ECONN(REFUSED|RESET)|EPIPE|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08\w{3}|25006|3D000|57P0[1-3])$/;

/** Messages of pg and pg-pool errors, which have no code. */
const LOST_CONNECTION =
  /^(Connection terminated( unexpectedly)?$|Client has encountered a connection error)/;
const NO_CONNECTION =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/;

export const sqlStateOf = (error: unknown): string | undefined =>
  (error as { code?: string } | null)?.code;

/** Whether the connection was lost or rejected, or its server is read-only. */
export const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (AWAY.test(sqlStateOf(error) ?? '') || LOST_CONNECTION.test(error.message) || hasNoSocket(error));

/** Whether the database is unreachable or read-only right now. */
export const isAway = (error: unknown): boolean =>
  isLost(error) || (error instanceof Error && NO_CONNECTION.test(error.message));

/** The server that listens on a Unix socket is not running. */
const hasNoSocket = ({ code, syscall }: NodeJS.ErrnoException) =>
  code === 'ENOENT' && syscall === 'connect';

/** Whether the same request may succeed a moment later. */
export const isBusy = (error: unknown): boolean =>
  isAway(error) || (error instanceof Error && BUSY.has(sqlStateOf(error) ?? ''));

/** Columns that refer to the account that makes the request. */
const CALLER = /_(user_id|decided_by|holder)_fkey$/;

/** Whether the account that makes the request has been deleted meanwhile (foreign_key_violation). */
export const isCallerDeleted = (error: unknown): boolean =>
  sqlStateOf(error) === '23503' && CALLER.test((error as { constraint?: string }).constraint ?? '');
