import { ConfigError } from './config.ts';
import { EmbeddedDatabaseError } from './db/embedded/error.ts';
import { BuildMissing } from './plugins/pages.ts';

/** Faults that a person can mend: told in a line each, without a stack. */
const TOLD_PLAINLY = [ConfigError, EmbeddedDatabaseError, BuildMissing];

/** What to print about a failure to start or to carry out a command. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `curbside: ${error.message}: set PORT to another`;
  }
  if (!TOLD_PLAINLY.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  return error.message
    .split('\n')
    .map((line) => `curbside: ${line}`)
    .join('\n');
}
