import { AppError } from './app-error.ts';
import { ConfigError } from './config.ts';
import { EmbeddedDatabaseError } from './db/embedded/error.ts';
import { OperatorError } from './operator-error.ts';
import { BuildMissing } from './pages/pages.ts';

/** Errors that the operator can fix: shown without a stack trace. */
const WITHOUT_STACK = [ConfigError, EmbeddedDatabaseError, BuildMissing, OperatorError, AppError];

/** Codes of a database that is not there or does not let us in: Node's, PostgreSQL's 28, 3D, 57P. */
const NO_DATABASE =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|28\w{3}|3D000|57P0\d)$/;

/** What to print when the server does not start, or a command fails. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && NO_DATABASE.test(code)) {
    // Of a name with several addresses, each has its own error.
    const [first = error] = error instanceof AggregateError ? error.errors : [];
    return `curbside: the database cannot be used: ${first.message}`;
  }
  if (code === 'EADDRINUSE') {
    return `curbside: ${error.message}: set PORT to another`;
  }
  if (!WITHOUT_STACK.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  return error.message
    .split('\n')
    .map((line) => `curbside: ${line}`)
    .join('\n');
}
