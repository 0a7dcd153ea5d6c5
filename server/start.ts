import { createApp } from './app.ts';
import { compose } from './compose.ts';
import type { Config } from './config.ts';
import { connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { demoPasswords, replacePublishedPasswords } from './demo/passwords.ts';
import { seedDemo } from './demo/seed.ts';
import type { Clock } from './deps.ts';
import { listenForDev } from './dev-listener.ts';
import { greeting } from './greeting.ts';
import { openOutbox } from './mail/outbox.ts';
import { smtpMailer } from './mail/smtp.ts';
import { httpNpiRegistry } from './npi-registry/http.ts';
import type { PageSource } from './pages/pages.ts';

export interface RunningServer {
  /** The terminal message after startup. */
  readonly greeting: string;
  /** Finishes open requests and running jobs, then closes the database. */
  close(): Promise<void>;
}

/** Opens and migrates the database, starts the jobs, and listens. Reverts everything on failure. */
export async function startServer(config: Config, pages: PageSource): Promise<RunningServer> {
  const clock: Clock = () => new Date();
  const app = createApp(config);
  const undo = new AsyncDisposableStack();
  try {
    await pages.load();
    const onError = (error: Error) => app.log.error({ err: error }, 'database lost');
    const database = await connect(config, onError);
    undo.defer(() => database.close());
    await migrate(database.background.pool);
    const { mailer, outbox, closeMail } = await openMail(config, clock);
    undo.defer(closeMail);
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
      }),
    );
    const passwords = config.embedded ? demoPasswords(config) : null;
    if (passwords) {
      await seedDemo(server.inBackground, passwords);
      await replacePublishedPasswords(server.inBackground, passwords);
    }
    if (config.devPort !== null && outbox) {
      undo.defer(await listenForDev(config, config.devPort, outbox));
    }
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
