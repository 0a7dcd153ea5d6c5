import { AppError } from './app-error.ts';
import { ConfigError } from './config.ts';
import { EmbeddedDatabaseError } from './db/embedded/error.ts';
import { PlainFault } from './operator-error.ts';
import { BuildMissing } from './plugins/pages.ts';

/** Faults that a person can mend: told in a line each, without a stack. */
const TOLD_PLAINLY = [ConfigError, EmbeddedDatabaseError, BuildMissing, PlainFault, AppError];

/** Codes of a database that is not there or does not let us in: Node's, PostgreSQL's 28, 3D, 57P. */
const NO_DATABASE =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|28\w{3}|3D000|57P0\d)$/;

/** What to print about a failure to start or to carry out a command. */
export function describeFault(error: unknown): string {
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
  if (!TOLD_PLAINLY.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  return error.message
    .split('\n')
    .map((line) => `curbside: ${line}`)
    .join('\n');
}
