import { deriveKeys } from '#server/anonymity/keys.ts';
import { buildApp, createApp } from './app.ts';
import { openPublicCache } from './cache/public-cache.ts';
import type { Config } from './config.ts';
import { connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { rewriteTables } from './db/rewrite.ts';
import { demoPasswords, replacePublishedPasswords } from './demo/passwords.ts';
import { seedDemo } from './demo/seed.ts';
import type { Clock, Deps } from './deps.ts';
import { listenForDev } from './dev-listener.ts';
import { sendResetLink } from './features/accounts/password/password-reset.ts';
import { retention } from './features/accounts/retention.ts';
import { refreshTitles } from './features/reviews/position-titles/service.ts';
import { reviewsDue } from './features/reviews/publish-scheduled.ts';
import { holdDisputedReviews } from './features/verification/disputed-reviews.ts';
import { verifyNpi } from './features/verification/registry-check.ts';
import { greeting } from './greeting.ts';
import { jobHandlers } from './jobs/handlers.ts';
import { startJobs } from './jobs/queue.ts';
import { openOutbox } from './mail/outbox.ts';
import { smtpMailer } from './mail/smtp.ts';
import { httpNpiRegistry } from './npi-registry/http.ts';
import { importedOr } from './npi-registry/imported.ts';
import type { PageSource } from './plugins/pages.ts';
import { watchStoredSecrets } from './stored-secrets.ts';

export interface RunningServer {
  /** What to tell the person at the terminal. */
  readonly greeting: string;
  /** Takes no new requests, finishes those in flight and the jobs at work, lets the database go. */
  close(): Promise<void>;
}

/** Opens the database, migrates it, starts the jobs, and listens. Undoes all of it on failure. */
export async function startServer(config: Config, pages: PageSource): Promise<RunningServer> {
  const clock: Clock = () => new Date();
  const app = createApp(config);
  const { log } = app;
  const undo = new AsyncDisposableStack();
  try {
    await pages.load();
    const database = await connect(config, (error) => log.error({ err: error }, 'database lost'));
    undo.defer(() => database.close());
    await migrate(database.background.pool);

    const keys = deriveKeys(config.secrets);
    if (config.storesSecrets) undo.defer(watchStoredSecrets(config.dataDir, keys.replace));
    const { mailer, outbox, closeMail } = await openMail(config, clock);
    undo.defer(closeMail);
    const npiRegistry = importedOr(httpNpiRegistry(config.npiRegistryUrl), database.background.db);
    const jobs = await startJobs({ database: database.background, keys, log });
    undo.defer(() => jobs.stop());
    const cache = await openPublicCache(database.background.pool);
    undo.defer(() => cache.close());

    const { db } = database;
    const deps: Deps = { config, database, db, keys, clock, mailer, npiRegistry, jobs, cache, log };
    const inBackground: Deps = { ...deps, db: database.background.db };
    const passwords = config.embedded ? demoPasswords(config) : null;
    if (passwords) {
      await seedDemo(inBackground, passwords);
      await replacePublishedPasswords(inBackground, passwords);
    }
    if (config.devPort !== null && outbox) {
      undo.defer(await listenForDev(config, config.devPort, outbox));
    }
    await buildApp(app, { deps, pageSource: pages, ...(outbox && { outbox }) });
    undo.defer(() => app.close());
    const address = await app.listen({ port: config.port, host: config.host });
    await jobs.work(
      jobHandlers({
        config,
        mailer,
        log,
        verifyNpi: verifyNpi(inBackground),
        passwordReset: sendResetLink(inBackground),
        reviewsDue: reviewsDue(inBackground),
        holdDisputedReviews: holdDisputedReviews(inBackground),
        retention: retention(inBackground),
        rewrite: () => rewriteTables(database.background.pool),
        refreshTitles: refreshTitles(inBackground),
      }),
    );
    const close = undo.move();
    return { greeting: greeting(config, address, passwords), close: () => close.disposeAsync() };
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}

/** SMTP where it is set; else the local outbox, which can be read. */
async function openMail({ smtpUrl, mailFrom, dataDir }: Config, clock: Clock) {
  if (smtpUrl) {
    const mailer = smtpMailer(smtpUrl, mailFrom);
    return { mailer, closeMail: () => mailer.close() };
  }
  const outbox = await openOutbox(dataDir, clock);
  return { mailer: outbox, outbox, closeMail: () => {} };
}
