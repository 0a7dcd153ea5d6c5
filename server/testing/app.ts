import { randomBytes } from 'node:crypto';
import type { Meter } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { PublicCache } from '#server/cache/public-cache.ts';
import { compose } from '#server/compose.ts';
import { CHEAP_PASSWORD_COST, type Config } from '#server/config/config.ts';
import type { Deps } from '#server/deps.ts';
import { createApp } from '#server/http/create-app.ts';
import type { RunningJobs } from '#server/jobs/queue.ts';
import type { MailMessage } from '#server/mail/mailer.ts';
import type { NpiRegistry } from '#server/npi-registry/registry.ts';
import type { PageSource } from '#server/pages/pages.ts';
import { createTestDatabase, openTestDatabase } from './database.ts';

const key = () => randomBytes(32);

/** The settings of the tests. Each test can override them. */
export const TEST_CONFIG: Config = Object.freeze({
  production: false,
  embedded: true,
  devPort: null,
  port: 0,
  workers: 1,
  host: '127.0.0.1',
  mailboxProofsPerMonth: 5,
  metricsPort: null,
  metricsHost: '127.0.0.1',
  traces: null,
  publicUrl: 'http://localhost:3000',
  databaseUrl: null,
  directUrl: null,
  replicaUrls: [],
  namedStatements: true,
  dataDir: '/nowhere',
  smtpUrl: null,
  mailFrom: 'Curbside <no-reply@curbside.example>',
  npiRegistryUrl: 'http://localhost:3000/dev/registry',
  verification: 'registry',
  letterSender: ['P.O. Box 0000', 'Springfield, IL 62700'],
  storesSecrets: false,
  secrets: {
    sealing: [{ id: 'k1', key: key() }],
    index: [key()],
    authorship: [key()],
    session: key(),
  },
  backupRecipient: null,
  securityContact: 'mailto:security@curbside.example',
  passwordCost: CHEAP_PASSWORD_COST,
  trustProxy: false,
  // Tests of limits override this.
  rateLimitFactor: 1_000_000,
  // No limit: a busy machine must not change the result of a test.
  maxEventLoopDelayMs: 0,
  drainMs: 0,
  logLevel: 'silent',
});

/** A registry without any NPI. */
const unknownToRegistry: NpiRegistry = { lookUp: async () => ({ kind: 'unknown' }) };

export interface TestAppOptions {
  config?: Partial<Config>;
  npiRegistry?: NpiRegistry;
  pageSource?: PageSource;
  /** The size of the cache of public responses. */
  responseBytes?: number;
  /** Replaces the cache that listens to the database. */
  cache?: PublicCache;
  /** Where the server's metrics go. */
  meter?: Meter;
  /** Another server with the same database. */
  beside?: TestApp;
  /** Receives the server's log lines, which are discarded by default. */
  logTo?: (line: string) => void;
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly jobs: RunningJobs;
  /** All sent mail, oldest first. */
  readonly mail: MailMessage[];
  /** The server's clock. */
  readonly time: { now: Date };
  /** Every SQL text that the server has sent, without values. */
  readonly statements: ReadonlySet<string>;
  /** Fails if a response since the last call was not among those that its route declares. */
  expectDeclaredAnswers(): void;
}

/** The whole server without a port, on its own database, with its jobs running. */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const config = Object.freeze({ ...TEST_CONFIG, ...options.config });
  const time = { now: new Date() };
  const clock = () => time.now;
  const mail: MailMessage[] = [];
  const mailer = {
    send: async (message: MailMessage) => {
      mail.push(message);
    },
  };
  const statements = new Set<string>();
  const watch = (text: string) => statements.add(text);
  const database = await (options.beside
    ? databaseOf(options.beside, watch)
    : createTestDatabase(watch));
  const app = createApp(config, options.logTo ?? (() => {}));
  const violations: string[] = [];
  holdAnswersToSchema(app, violations);
  const { deps, jobs, work, ...server } = await compose({
    app,
    config,
    database,
    clock,
    mailer,
    npiRegistry: options.npiRegistry ?? unknownToRegistry,
    responseBytes: options.responseBytes,
    schedule: false,
    ...(options.cache && { cache: options.cache }),
    ...(options.meter && { meter: options.meter }),
    ...(options.pageSource && { pageSource: options.pageSource }),
  });
  await app.ready();
  await work();
  const expectDeclaredAnswers = () => {
    const found = violations.splice(0);
    if (found.length > 0) throw new Error(found.join('\n'));
  };
  return {
    app,
    deps,
    jobs,
    mail,
    time,
    statements,
    expectDeclaredAnswers,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await database.close();
      expectDeclaredAnswers();
    },
  };
}

async function databaseOf({ deps }: TestApp, watch: (text: string) => void) {
  const { name } = await deps.db
    .selectNoFrom(sql<string>`current_database()`.as('name'))
    .executeTakeFirstOrThrow();
  return openTestDatabase(name, watch);
}

/** Records responses that their routes do not declare. The test fails when the app closes. */
function holdAnswersToSchema(app: FastifyInstance, violations: string[]): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const declared = request.routeOptions.schema?.response as
      | Record<string, z.core.$ZodType | undefined>
      | undefined;
    if (!declared) return;
    const schema = declared[reply.statusCode];
    const answer = `${request.method} ${request.url}: ${reply.statusCode}`;
    if (!(reply.statusCode in declared)) {
      violations.push(`${answer} is not among its declared responses: ${payload}`);
    }
    if (!schema || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return;
    const isJson = /json/.test(String(reply.getHeader('content-type')));
    const isFile = reply.hasHeader('content-disposition');
    const asSent = isFile ? new File([payload as Buffer<ArrayBuffer>], '') : String(payload);
    const sent = isJson ? JSON.parse(String(payload)) : asSent;
    const parsed = z.safeParse(schema, sent);
    if (!parsed.success) violations.push(`${answer} is not as declared: ${parsed.error.message}`);
  });
}
