import { ConfigError } from '#server/config/config.ts';
import { isAway, isUnanswered } from '#server/db/errors.ts';
import { AppError } from './errors/app-error.ts';
import { OperatorError, printableLines } from './errors/operator-error.ts';

/** Errors that the operator can fix. They are shown without a stack trace. */
const WITHOUT_STACK = [ConfigError, OperatorError, AppError];

/** PostgreSQL's class invalid_authorization_specification, and too_many_connections. */
const NOT_LET_IN = /^(28\w{3}|53300)$/;

/** The terminal message when a command fails or the server does not start. */
export const describeError = (error: unknown): string => printableLines(messageOf(error));

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen' && code !== 'EADDRINUSE') {
    return `curbside: ${error.message}: set HOST and PORT to where it may listen`;
  }
  if (isAway(error) || isUnanswered(error) || NOT_LET_IN.test(code ?? '')) {
    // A host with several addresses has one error per address.
    const [first = error] = error instanceof AggregateError ? error.errors : [];
    return `curbside: cannot connect to the database: ${first.message}`;
  }
  if (code === 'EADDRINUSE') return `curbside: ${error.message}: set PORT to another port`;
  if (!WITHOUT_STACK.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  return error.message
    .split('\n')
    .map((line) => `curbside: ${line}`)
    .join('\n');
}
