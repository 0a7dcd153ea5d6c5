import type { Config } from './config/config.ts';
import { describeError } from './describe-error.ts';
import type { PageSource } from './pages/pages.ts';
import { startServer } from './start.ts';

interface Around {
  /** The index of this process among the server's processes, from 0. */
  readonly index?: number;
  /** Called with the startup message. */
  readonly announce?: (greeting: string) => void;
  /** Called after the server has stopped. */
  readonly afterwards?: () => Promise<void>;
}

/** Runs the server until SIGINT or SIGTERM; exits with 1 if it does not start. */
export async function runServer(
  load: () => Config,
  pages: PageSource,
  { index = 0, announce = console.log, afterwards = async () => {} }: Around = {},
): Promise<void> {
  const fail = (error: unknown) => {
    console.error(describeError(error));
    process.exit(1);
  };
  const stopping = new AbortController();
  let starting: ReturnType<typeof startServer> | undefined;
  let server: Awaited<typeof starting>;
  let isEmbedded = false;
  const stop = async () => {
    stopping.abort();
    // After an interrupted start, only the embedded PostgreSQL would outlive this process.
    if (isEmbedded) await starting?.catch(() => {});
    await server?.close();
    await afterwards();
    process.exit(0);
  };
  // Before the start, because the first process of a container ignores signals without a listener.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // npm also forwards Ctrl-C, so it arrives twice.
    process.on(signal, () => {
      if (!stopping.signal.aborted) void stop().catch(fail);
    });
  }
  try {
    const config = load();
    isEmbedded = config.embedded;
    starting = startServer(config, pages, { index, signal: stopping.signal });
    server = await starting;
    announce(server.greeting);
  } catch (error) {
    if (!stopping.signal.aborted) fail(error);
  }
}
