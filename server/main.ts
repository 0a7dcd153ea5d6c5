import { BuildMissing, productionBuild } from '#server/plugins/pages.ts';
import { ConfigError, loadConfig } from './config.ts';
import { EmbeddedDatabaseError } from './db/embedded/error.ts';
import { startServer } from './start.ts';

/** Faults that a person can mend: told in a line each, without a stack. */
const TOLD_PLAINLY = [ConfigError, EmbeddedDatabaseError, BuildMissing];

try {
  const server = await startServer(loadConfig(process.env), productionBuild);
  console.log(server.greeting);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close().then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  const isPlain = TOLD_PLAINLY.some((kind) => error instanceof kind);
  const isPortTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  if (isPortTaken) console.error(`curbside: ${(error as Error).message}: set PORT to another`);
  else if (isPlain) {
    for (const line of (error as Error).message.split('\n')) console.error(`curbside: ${line}`);
  } else console.error(error);
  process.exit(1);
}
