import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import type { Secrets } from '#server/anonymity/keys.ts';
import { keyErrors, type NamedKeys } from './keys.ts';
import { DATABASE_URLS, isLoopbackHost, KEYS, REQUIRED, SECRETS, Settings } from './settings.ts';
import { storedSecrets } from './stored-secrets.ts';

const MAX_EVENT_LOOP_DELAY_MS: number = 1_000;
/** Longer than a load balancer's health check interval. */
const DRAIN_SECONDS = 5;
const CMS_REGISTRY_URL = 'https://npiregistry.cms.hhs.gov/api/';
const DEMO_SENDER = ['P.O. Box 0000', 'Springfield, IL 62700'];
const DEMO_CONTACT = 'mailto:security@curbside.example';

/** OWASP's second recommended setting for argon2id: 19 MiB, two passes. */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
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

/**
 * Replaces `PORT=0` with a free port, because the address of the site depends on it unless PUBLIC_URL
 * names one. If none can be had, the server says why when it listens.
 */
export async function withFreePort(settings: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { PORT, HOST, PUBLIC_URL } = settings;
  if (!PORT || Number(PORT) !== 0 || PUBLIC_URL) return settings;
  const server = createServer();
  try {
    server.listen(0, HOST || '127.0.0.1');
    await once(server, 'listening');
    return { ...settings, PORT: String((server.address() as AddressInfo).port) };
  } catch {
    return settings;
  } finally {
    server.close();
  }
}

/** Production can tune limits but not disable them. Elsewhere, tests send thousands of requests. */
const RATE_LIMIT_FACTOR = { production: [0.1, 10], elsewhere: [0, 1_000_000] } as const;

/** Finds unsafe combinations of valid settings. Returns one line per error, with what to do. */
function unsafeSettings(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  { production, embedded }: { production: boolean; embedded: boolean },
): string[] {
  return [
    ...(embedded ? demoErrors(settings) : realServerErrors(settings, env)),
    ...portErrors(settings),
    ...urlErrors(settings, { production, embedded }),
    ...keyErrors(namedKeys(settings)),
    ...rateLimitErrors(settings, production),
    ...proxyErrors(settings, production),
    ...passwordErrors(settings),
  ];
}

function passwordErrors({ CHEAP_PASSWORDS, NODE_ENV }: Settings): string[] {
  if (CHEAP_PASSWORDS === 'no' || NODE_ENV === 'test') return [];
  return ['CHEAP_PASSWORDS: makes stolen passwords easy to guess; it is for NODE_ENV=test only'];
}

/** The demo's passwords are public, and so is its mail. */
function demoErrors({ HOST, PUBLIC_URL, DEMO_ON_NETWORK, PORT, DEV_PORT }: Settings): string[] {
  const errors: string[] = [];
  if (DEMO_ON_NETWORK === 'no') {
    const instead = 'set DEMO_ON_NETWORK=yes to show the demo to others, or NODE_ENV=production';
    if (!isLoopbackHost(HOST)) {
      errors.push(`HOST: must be a loopback address such as 127.0.0.1: ${instead}`);
    }
    if (PUBLIC_URL !== undefined && !isLoopbackHost(new URL(PUBLIC_URL).hostname)) {
      errors.push(`PUBLIC_URL: must be on localhost: ${instead}`);
    }
    return errors;
  }
  if (DEV_PORT === PORT) errors.push(`DEV_PORT: must differ from PORT (${PORT})`);
  if (DEV_PORT === undefined && (PORT === 0 || PORT === 65535)) {
    errors.push(`DEV_PORT: must be set with PORT=${PORT}: the default is the next port`);
  }
  return errors;
}

/** Each process has its own metrics port: `METRICS_PORT` and the next ones. */
function portErrors(settings: Settings): string[] {
  const { PORT, METRICS_PORT: first, WORKERS, DEMO_ON_NETWORK, DEV_PORT } = settings;
  if (first === undefined) return [];
  const last = first + WORKERS - 1;
  const taken = { PORT, ...(DEMO_ON_NETWORK === 'yes' && { DEV_PORT: DEV_PORT ?? PORT + 1 }) };
  const ports = WORKERS === 1 ? '' : `: WORKERS=${WORKERS} takes ${first} to ${last}`;
  if (last > 65535) return [`METRICS_PORT: must be at most ${65536 - WORKERS}${ports}`];
  return Object.entries(taken)
    .filter(([, port]) => port >= first && port <= last)
    .map(([name, port]) => `METRICS_PORT: must differ from ${name} (${port})${ports}`);
}

function realServerErrors(settings: Settings, env: NodeJS.ProcessEnv): string[] {
  const { SMTP_URL, DEMO_ON_NETWORK } = settings;
  const errors: string[] = [];
  if (DEMO_ON_NETWORK === 'yes') {
    errors.push('DEMO_ON_NETWORK: is for the embedded default only: remove it');
  }
  for (const name of DATABASE_URLS) {
    if ([settings[name] ?? []].flat().some(isPlainDatabase)) {
      errors.push(`${name}: add ?sslmode=verify-full, or ?sslmode=disable if you own the network`);
    }
  }
  // Parameters could disable STARTTLS or certificate checks.
  if (SMTP_URL !== undefined && new URL(SMTP_URL).search !== '') {
    errors.push('SMTP_URL: must have no parameters: remove what follows the ?');
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    errors.push(
      'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0: remove it, and add your own certificate authority with NODE_EXTRA_CA_CERTS',
    );
  }
  return errors;
}

/** Reads the URL like pg: a `host` parameter counts, and a path is the folder of a Unix socket. */
function isPlainDatabase(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  if (searchParams.has('sslmode')) return false;
  const host = decodeURIComponent(searchParams.get('host') || hostname) || 'localhost';
  return !host.startsWith('/') && !isLoopbackHost(host);
}

/** Production allows no plain http. Elsewhere, it is limited to this machine. */
function urlErrors(
  settings: Settings,
  { production, embedded }: { production: boolean; embedded: boolean },
): string[] {
  // A demo on the network may run without TLS, because it has no real identities.
  const names = embedded
    ? (['NPI_REGISTRY_URL'] as const)
    : (['PUBLIC_URL', 'NPI_REGISTRY_URL'] as const);
  return names.flatMap((name) => {
    const url = URL.parse(settings[name] ?? '');
    if (url?.protocol !== 'http:') return [];
    if (!production && isLoopbackHost(url.hostname)) return [];
    return [`${name}: must begin with https://`];
  });
}

function namedKeys(settings: Settings): NamedKeys[] {
  return KEYS.map((name) => {
    const entries = [settings[name] ?? []].flat();
    return { name, keys: entries.map((entry) => ('key' in entry ? entry.key : entry)) };
  });
}

function rateLimitErrors({ RATE_LIMIT_FACTOR: factor }: Settings, production: boolean): string[] {
  const [least, most] = production ? RATE_LIMIT_FACTOR.production : RATE_LIMIT_FACTOR.elsewhere;
  if (factor >= least && factor <= most) return [];
  return [`RATE_LIMIT_FACTOR: must be from ${least} to ${most}`];
}

/** Trusting every address means believing any caller's claim about its own address. */
function proxyErrors({ TRUST_PROXY, DEMO_ON_NETWORK }: Settings, production: boolean): string[] {
  if (TRUST_PROXY !== true || (!production && DEMO_ON_NETWORK === 'no')) return [];
  return ['TRUST_PROXY: must list your proxies as addresses or CIDR ranges'];
}
