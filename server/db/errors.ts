/**
 * SQLSTATE codes of temporary errors (PostgreSQL, appendix A): serialization_failure,
 * deadlock_detected, insufficient_resources (53: disk, memory, connections), io_error,
 * query_canceled (by statement_timeout), lock_not_available, and the timeouts of idle and long
 * transactions (25P03, 25P04).
 */
const BUSY = /^(40001|40P01|53\w{3}|58030|57014|55P03|25P0[34])$/;

/**
 * The database is starting, stopping, failing over, or does not exist yet: errors of sockets and of
 * TLS, SQLSTATE connection_exception (08), read_only_sql_transaction (a standby),
 * invalid_catalog_name, and the server's shutdown and start (57P01 to 57P05).
 */
const AWAY =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|E(HOST|NET)(UNREACH|DOWN)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPROTO|ERR_SSL_\w+|08\w{3}|25006|3D000|57P0[1-5])$/;

/** Messages of pg and pg-pool errors, which have no code. */
const LOST_CONNECTION =
  /^(Connection terminated( unexpectedly)?$|Client (has encountered a connection error|was closed and is not queryable))/;
/** The database accepted a query, but did not respond in time. */
const NO_ANSWER = 'Query read timeout';
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

/** The codes of failed connects: of sockets, and of PostgreSQL before a session begins. */
const NO_SESSION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|3D000|53300|57P03)$/;

/** Whether no connection could be had, so that nothing was sent to the database. */
export const isUnconnected = (error: Error): boolean =>
  NO_SESSION.test(sqlStateOf(error) ?? '') ||
  ('syscall' in error && error.syscall === 'connect') ||
  NO_CONNECTION.test(error.message);

/** The server that listens on a Unix socket is not running. */
const hasNoSocket = ({ code, syscall }: NodeJS.ErrnoException) =>
  code === 'ENOENT' && syscall === 'connect';

/** Whether a query was sent and got no response in time. Its connection is no longer usable. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === NO_ANSWER;

/**
 * Whether a statement that this connection prepared no longer works: a migration has changed its
 * result, or a pooler has dropped it (invalid_sql_statement_name). The same statement works on a new
 * connection. PostgreSQL translates messages, so this checks the name of its routine.
 */
export const isStale = (error: unknown): boolean =>
  sqlStateOf(error) === '26000' ||
  (sqlStateOf(error) === '0A000' &&
    (error as { routine?: string }).routine === 'RevalidateCachedQuery');

/** Whether the same request may succeed a moment later. */
export const isBusy = (error: unknown): boolean =>
  isAway(error) ||
  isUnanswered(error) ||
  isStale(error) ||
  (error instanceof Error && BUSY.test(sqlStateOf(error) ?? ''));

/** Columns that refer to the account that makes the request. */
const CALLER = /_(user_id|decided_by|holder|asked_by)_fkey$/;

/** Whether the account that makes the request has been deleted meanwhile (foreign_key_violation). */
export const isCallerDeleted = (error: unknown): boolean =>
  sqlStateOf(error) === '23503' && CALLER.test((error as { constraint?: string }).constraint ?? '');
