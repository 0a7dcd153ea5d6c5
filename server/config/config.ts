import { existsSync } from 'node:fs';
import type { Secrets } from '#server/anonymity/keys.ts';
import { KEYS, REQUIRED, SECRETS, Settings } from './settings.ts';
import { storedSecrets } from './stored-secrets.ts';
import { unsafeSettings } from './unsafe.ts';

const MAX_EVENT_LOOP_DELAY_MS: number = 1_000;
/** Longer than a load balancer's health check interval. */
const DRAIN_SECONDS = 5;
const CMS_REGISTRY_URL = 'https://npiregistry.cms.hhs.gov/api/';
const DEMO_SENDER = ['P.O. Box 0000', 'Springfield, IL 62700'];
const DEMO_CONTACT = 'mailto:security@curbside.example';

/** OWASP's second recommended setting for argon2id: 19 MiB, two passes. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** The least that argon2id accepts. */
export const CHEAP_PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1 };

/** The cost of argon2id: kibibytes, and passes over them. */
interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

export type Config = ReturnType<typeof loadConfig>;

/** Whether browsers must send cookies over TLS only. */
export const isHttps = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean =>
  publicUrl.startsWith('https:');

/** The settings of a server under systemd (docs/operations.md). */
const SERVICE_SETTINGS = '/etc/curbside/curbside.env';

/**
 * One line if this machine runs a real server, whose settings a program without DATABASE_URL lacks:
 * it would work on a new demo database, and seem to succeed.
 */
export const demoBesideService = (serviceSettings = SERVICE_SETTINGS): string[] =>
  existsSync(serviceSettings)
    ? [
        `the settings of this machine's server are in ${serviceSettings}: run \`curbside check\`` +
          ' instead of `npm run curbside -- check`, and so on',
      ]
    : [];

/** One line per error, for the terminal. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Removes the secret settings from the environment, which child processes inherit. */
export function takeSettings(): NodeJS.ProcessEnv {
  const settings = { ...process.env };
  for (const name of SECRETS) delete process.env[name];
  return settings;
}

/**
 * The only place that reads settings. Without DATABASE_URL it is the embedded default: demo data,
 * mail kept locally, a sample registry, and generated secrets in DATA_DIR. Throws ConfigError,
 * which lists all errors.
 */
export function loadConfig(env: NodeJS.ProcessEnv, serviceSettings?: string) {
  const { settings, given, errors } = parse(env);
  const production = settings.NODE_ENV === 'production';
  const embedded = !production && settings.DATABASE_URL === undefined;
  errors.push(
    ...missingSettings(settings, given, { production, embedded }),
    ...unsafeSettings(settings, env, { production, embedded }),
  );
  if (embedded) errors.push(...demoBesideService(serviceSettings));
  if (errors.length > 0) throw new ConfigError(errors);
  const onNetwork = settings.DEMO_ON_NETWORK === 'yes';
  const devPort = onNetwork ? (settings.DEV_PORT ?? settings.PORT + 1) : null;
  const origin = `http://localhost:${settings.PORT}`;
  return Object.freeze({
    production,
    /** Demo accounts, `/dev/`, and the built-in database. Never on a production server. */
    embedded,
    /** The loopback port of `/dev/` while the demo is open to the network; null: PORT. */
    devPort,
    port: settings.PORT,
    host: settings.HOST,
    workers: settings.WORKERS,
    /** The port of `/metrics`; null: none. */
    metricsPort: settings.METRICS_PORT ?? null,
    metricsHost: settings.METRICS_HOST,
    /** Where traces are sent, and the share of requests that are traced; null: none. */
    traces: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: settings.OTEL_TRACES_SAMPLER_ARG }
      : null,
    publicUrl: new URL(settings.PUBLIC_URL ?? origin).origin,
    databaseUrl: settings.DATABASE_URL ?? null,
    /** For connections that need a session, if `databaseUrl` is a pooler's. */
    directUrl: settings.DATABASE_DIRECT_URL ?? null,
    replicaUrls: settings.DATABASE_REPLICA_URLS ?? [],
    namedStatements: settings.DATABASE_STATEMENTS === 'named',
    dataDir: settings.DATA_DIR,
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    npiRegistryUrl:
      settings.NPI_REGISTRY_URL ??
      (embedded ? `http://localhost:${devPort ?? settings.PORT}/dev/registry` : CMS_REGISTRY_URL),
    verification: settings.VERIFICATION ?? (embedded ? 'registry' : 'proof'),
    /** How many proofs by the mailboxes of a domain count by themselves. */
    mailboxProofsPerMonth: settings.MAILBOX_PROOFS_PER_MONTH,
    /** The sender's address on letters, by line. Without one, letters cannot be printed. */
    letterSender: settings.LETTER_SENDER ?? (embedded ? DEMO_SENDER : null),
    /** Whether the secrets are stored in DATA_DIR, where they may change while the server runs. */
    storesSecrets: secretsOf(settings) === null,
    secrets: secretsOf(settings) ?? storedSecrets(settings.DATA_DIR),
    /** The age public key that backups are encrypted for. */
    backupRecipient: settings.BACKUP_RECIPIENT ?? null,
    securityContact: settings.SECURITY_CONTACT ?? (embedded ? DEMO_CONTACT : null),
    passwordCost: settings.CHEAP_PASSWORDS === 'yes' ? CHEAP_PASSWORD_COST : PASSWORD_COST,
    trustProxy: settings.TRUST_PROXY,
    rateLimitFactor: settings.RATE_LIMIT_FACTOR,
    /** If the event loop lags more than this, the API rejects requests instead of delaying them. */
    maxEventLoopDelayMs: MAX_EVENT_LOOP_DELAY_MS,
    /** How long a stopping server keeps serving, so load balancers can stop sending to it first. */
    drainMs: 1000 * (settings.DRAIN_SECONDS ?? (embedded ? 0 : DRAIN_SECONDS)),
    // Keeps the embedded default's terminal free for the startup message.
    logLevel: settings.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
  });
}

/** Returns the valid settings, with defaults for the rest, and one line per error. */
function parse(env: NodeJS.ProcessEnv) {
  // An empty variable counts as unset: it is how shells and compose files unset a variable.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { success, data, error } = Settings.safeParse(given);
  if (success) return { settings: data, given, errors: [] };
  const errors = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  const rest = Object.entries(given).filter(([name]) => !wrong.has(name));
  return { settings: Settings.parse(Object.fromEntries(rest)), given, errors };
}

function missingSettings(
  settings: Settings,
  given: NodeJS.ProcessEnv,
  { production, embedded }: { production: boolean; embedded: boolean },
): string[] {
  if (!embedded) {
    const where = production ? 'in production' : 'with DATABASE_URL';
    const missing = REQUIRED.filter((name) => given[name] === undefined);
    return missing.map((name) => `${name}: must be set ${where}`);
  }
  // Some of the keys alone would be ignored, because the embedded default stores all four.
  const missing = KEYS.filter((name) => settings[name] === undefined);
  if (missing.length === KEYS.length) return [];
  return missing.map((name) => `${name}: must be set too, or none of the four keys`);
}

function secretsOf(settings: Settings): Secrets | null {
  const { SEALING_KEYS, INDEX_KEY, AUTHORSHIP_KEY, SESSION_KEY } = settings;
  if (!SEALING_KEYS || !INDEX_KEY || !AUTHORSHIP_KEY || !SESSION_KEY) return null;
  return {
    sealing: SEALING_KEYS,
    index: INDEX_KEY,
    authorship: AUTHORSHIP_KEY,
    session: SESSION_KEY,
  };
}
