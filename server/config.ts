import * as z from 'zod';
import type { Secrets } from '#server/anonymity/keys.ts';
import { storedSecrets } from './stored-secrets.ts';

const key = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64');

/** The first is in use; those after it are still recognized, until they are rotated away. */
const keyList = z.string().transform((text, ctx) =>
  text.split(',').map((entry) => {
    const parsed = key.safeParse(entry.trim());
    if (parsed.success) return parsed.data;
    ctx.addIssue('must be KEY[,OLD KEY…], each 32 bytes in base64');
    return z.NEVER;
  }),
);

const sealingKeys = z.string().transform((text, ctx) =>
  text.split(',').map((entry) => {
    const [id = '', secret = ''] = entry.trim().split(':');
    const parsed = key.safeParse(secret);
    if (!/^[\w-]{1,20}$/.test(id) || !parsed.success) {
      ctx.addIssue('must be ID:KEY[,ID:KEY…], each KEY 32 bytes in base64');
      return z.NEVER;
    }
    return { id, key: parsed.data };
  }),
);

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Every setting; README.md has the same table for people. */
const Settings = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: z.coerce.number('must be a port').int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })
    .optional(),
  DATA_DIR: z.string().min(1).default('data'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: z.string().min(3).default('Curbside <no-reply@curbside.example>'),
  NPI_REGISTRY_URL: httpUrl.optional(),
  VERIFICATION: z
    .enum(['registry', 'manual'], "must be 'registry' or 'manual'")
    .default('registry'),
  SEALING_KEYS: sealingKeys.optional(),
  INDEX_KEY: keyList.optional(),
  AUTHORSHIP_KEY: keyList.optional(),
  SESSION_KEY: key.optional(),
  TRUST_PROXY: z.union([flag, z.string().min(1)]).default(false),
  RATE_LIMIT_FACTOR: z.coerce.number('must be a number').positive('must be above 0').default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
});

/** What a server on its own database must be told; the embedded default finds all of it itself. */
const REQUIRED = [
  'DATABASE_URL',
  'SMTP_URL',
  'PUBLIC_URL',
  'SEALING_KEYS',
  'INDEX_KEY',
  'AUTHORSHIP_KEY',
  'SESSION_KEY',
] as const;

const MAX_EVENT_LOOP_DELAY_MS: number = 1_000;
const CMS_REGISTRY_URL = 'https://npiregistry.cms.hhs.gov/api/';

export type Config = ReturnType<typeof loadConfig>;

/** One line per fault, for the terminal. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/**
 * Reads the settings, the one place that does. Without DATABASE_URL it is the embedded default:
 * demo data, mail kept locally, a sample registry, and secrets of its own in DATA_DIR.
 * Throws ConfigError.
 */
export function loadConfig(env: NodeJS.ProcessEnv) {
  // An empty variable is one that is not set: that is how shells and compose files unset them.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  const settings = parsed.data;
  const production = settings.NODE_ENV === 'production';
  const embedded = !production && settings.DATABASE_URL === undefined;
  if (!embedded) {
    const missing = REQUIRED.filter((name) => settings[name] === undefined);
    if (missing.length > 0) {
      const where = production ? 'in production' : 'with DATABASE_URL';
      throw new ConfigError(missing.map((name) => `${name}: must be set ${where}`));
    }
  }
  const origin = `http://localhost:${settings.PORT}`;
  return Object.freeze({
    production,
    /** Demo accounts, `/dev/` and the built-in database: never on a real server. */
    embedded,
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: new URL(settings.PUBLIC_URL ?? origin).origin,
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir: settings.DATA_DIR,
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    npiRegistryUrl:
      settings.NPI_REGISTRY_URL ?? (embedded ? `${origin}/dev/registry` : CMS_REGISTRY_URL),
    verification: settings.VERIFICATION,
    /** They are kept in DATA_DIR, and may change there while the server runs. */
    storesSecrets: secretsOf(settings) === null,
    secrets: secretsOf(settings) ?? storedSecrets(settings.DATA_DIR),
    trustProxy: settings.TRUST_PROXY,
    rateLimitFactor: settings.RATE_LIMIT_FACTOR,
    /** Further behind than this, the API refuses instead of letting everyone wait. */
    maxEventLoopDelayMs: MAX_EVENT_LOOP_DELAY_MS,
    // At a person's terminal the greeting should not drown in what went well.
    logLevel: settings.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
  });
}

function secretsOf(settings: z.infer<typeof Settings>): Secrets | null {
  const { SEALING_KEYS, INDEX_KEY, AUTHORSHIP_KEY, SESSION_KEY } = settings;
  if (!SEALING_KEYS || !INDEX_KEY || !AUTHORSHIP_KEY || !SESSION_KEY) return null;
  return {
    sealing: SEALING_KEYS,
    index: INDEX_KEY,
    authorship: AUTHORSHIP_KEY,
    session: SESSION_KEY,
  };
}
