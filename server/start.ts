import type { Clock } from '#server/anonymity/coarse-time.ts';
import { compose } from './compose.ts';
import type { Config } from './config/config.ts';
import { holdingLock, LOCKS } from './db/advisory-lock.ts';
import { awaitDatabase, connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import {
  DEMO_ACCOUNTS,
  DEMO_ADMIN,
  DEMO_PASSWORD,
  type DemoPasswords,
  demoPasswords,
  PUBLISHED,
  replacePublishedPasswords,
} from './demo/passwords.ts';
import { seedDemo } from './demo/seed.ts';
import { describeError } from './describe-error.ts';
import { OperatorError } from './errors/operator-error.ts';
import { devRoutes } from './features/site/dev/routes.ts';
import { createApp } from './http/create-app.ts';
import { claimKeys } from './key-prints.ts';
import { smtpMailer } from './mail/mailer.ts';
import { type Outbox, openOutbox } from './mail/outbox.ts';
import { listenForMetrics, openScraper } from './metrics/scrape.ts';
import { httpNpiRegistry } from './npi-registry/http.ts';
import type { PageSource } from './pages/pages.ts';
import { problemDetails } from './plugins/problem-details.ts';
import { securityHeaders } from './plugins/security-headers.ts';
import { validation } from './plugins/validation.ts';
import { startTracing } from './tracing/start.ts';

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

interface Process {
  /** Its index among the server's processes, from 0. */
  readonly index: number;
  /** Aborted if the server has to stop before it has started. */
  readonly signal: AbortSignal;
}

/**
 * Opens and migrates the database, starts the jobs, and listens. Undoes everything on failure.
 * `close` first finishes open requests and running jobs.
 */
async function startServer(config: Config, pages: PageSource, { index, signal }: Process) {
  const clock: Clock = () => new Date();
  const app = createApp(config);
  const undo = new AsyncDisposableStack();
  try {
    await pages.load();
    const onError = (error: Error) => app.log.error({ err: error }, 'database lost');
    if (config.traces) undo.defer(startTracing(config.traces, app.log));
    const database = await connect(config, onError);
    undo.defer(() => database.close());
    signal.throwIfAborted();
    await awaitDatabase(database.background.pool, { onTry: (line) => app.log.warn(line) });
    await migrate(database.background.pool);
    await claimKeys(database.background.pool, config.secrets);
    signal.throwIfAborted();
    const { mailer, outbox, closeMail } = await openMail(config, clock);
    undo.defer(closeMail);
    const scraper = config.metricsPort === null ? null : openScraper();
    const server = undo.use(
      await compose({
        app,
        config,
        database,
        clock,
        mailer,
        npiRegistry: httpNpiRegistry(config.npiRegistryUrl),
        pageSource: pages,
        ...(outbox && { outbox }),
        ...(scraper && { meter: scraper.meter }),
      }),
    );
    const passwords = config.embedded ? demoPasswords(config) : null;
    if (passwords) {
      await holdingLock(database.background.pool, LOCKS.start, async () => {
        await seedDemo(server.inBackground, passwords);
        await replacePublishedPasswords(server.inBackground, passwords);
      });
    }
    if (config.devPort !== null && outbox) {
      undo.defer(await listenForDev(config, config.devPort, outbox));
    }
    if (scraper) undo.defer(await listenForMetrics(config, scraper, index));
    signal.throwIfAborted();
    const address = await app.listen({ port: config.port, host: config.host });
    await server.work();
    const close = undo.move();
    return { greeting: greeting(config, address, passwords), close: () => close.disposeAsync() };
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}

/** Uses SMTP if it is configured, otherwise the local outbox. */
async function openMail({ smtpUrl, mailFrom, dataDir }: Config, clock: Clock) {
  if (smtpUrl) {
    const mailer = smtpMailer(smtpUrl, mailFrom);
    return { mailer, closeMail: () => mailer.close() };
  }
  const outbox = await openOutbox(dataDir, clock);
  return { mailer: outbox, outbox, closeMail: () => {} };
}

/** The terminal message after startup. */
function greeting(config: Config, address: string, passwords: DemoPasswords | null): string {
  if (!passwords) return `Curbside is at ${config.publicUrl}, listening on ${address}`;
  const arePublished = passwords === PUBLISHED;
  const accounts = [...DEMO_ACCOUNTS, DEMO_ADMIN].map(({ email, about }) => {
    const password = arePublished ? '' : `${passwords[email]}  `;
    return `    ${email.padEnd(28)} ${password}${about}`;
  });
  return [
    '',
    `  Curbside is at ${config.publicUrl}`,
    ...whereMailIs(config, address),
    '',
    arePublished ? `  Demo accounts, password ${DEMO_PASSWORD}:` : '  Demo accounts and passwords:',
    ...accounts,
    '',
    '  All employers and reviews are fictional. Stop with Ctrl-C.',
    '',
  ].join('\n');
}

function whereMailIs({ publicUrl, devPort }: Config, address: string): string[] {
  if (devPort === null) {
    const isThere = new URL(publicUrl).port === new URL(address).port;
    return [
      ...(isThere ? [] : [`  It listens on ${address}`]),
      `  Mail it would send is at ${publicUrl}/dev/mail`,
    ];
  }
  return [
    `  It listens on ${address}. Anyone who reaches it can sign up`,
    `  Mail it would send is at http://localhost:${devPort}/dev/mail, on this machine only`,
  ];
}

const LOOPBACK = '127.0.0.1';

/**
 * Serves `/dev/` on its own loopback port, for a demo on the network (`DEMO_ON_NETWORK=yes`).
 * Returns a function that closes it.
 */
async function listenForDev(config: Config, port: number, outbox: Outbox) {
  const app = createApp(config);
  validation(app);
  problemDetails(app);
  await securityHeaders(app);
  await app.register(devRoutes({ outbox }));
  try {
    await app.listen({ port, host: LOOPBACK });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new OperatorError(`${LOOPBACK}:${port} is in use: set DEV_PORT to another port`);
  }
  return () => app.stop(0);
}
