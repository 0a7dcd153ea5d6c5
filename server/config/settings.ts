import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { VERIFICATION_MODES } from '#contract/verification/verification.ts';
import { key, keyList, sealingKeys } from './keys.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a host, from `HOST` or a URL, is reachable only from this machine. `localhost` is
 * loopback (RFC 6761, section 6.3). Other names may resolve to anything.
 */
export function isLoopbackHost(host: string): boolean {
  const name = canonicalHost(host).replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const version = isIP(name);
  // BlockList also recognizes IPv4-mapped IPv6 addresses.
  return version !== 0 && LOOPBACK.check(name, version === 6 ? 'ipv6' : 'ipv4');
}

/** Lower-cases the host and removes brackets. Expands `127.1` and `0` as inet_aton does. */
function canonicalHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return bare;
  return URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : bare;
}

/** Names of private ranges in Fastify's proxy-addr. */
const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
/** The largest private ranges: 10.0.0.0/8 and fc00::/7. Wider ones include other people's addresses. */
const MIN_PREFIX = { 4: 8, 6: 7 } as const;

/** Whether an entry of TRUST_PROXY names specific proxies rather than everybody. */
function isProxyEntry(entry: string): boolean {
  if (PROXY_RANGES.includes(entry)) return true;
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || rest.length > 0) return false;
  // Rejects the mapped form, whose prefix length would be misleading.
  if (/^[0:]*:ffff:/i.test(address)) return false;
  if (prefix === undefined) return true;
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  return bits >= MIN_PREFIX[version] && bits <= (version === 4 ? 32 : 128);
}

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an http or https URL',
  abort: true,
});

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' });

const databaseUrls = z.string().transform((text, ctx) =>
  text.split(',').map((entry) => {
    const { success, data } = databaseUrl.safeParse(entry.trim());
    if (success) return data;
    ctx.addIssue('must be postgres:// URLs, separated by commas');
    return z.NEVER;
  }),
);

/** Only scheme, host, and port. A trailing slash is accepted. */
const origin = httpUrl.refine(
  (text) => new URL(text).href === `${new URL(text).origin}/`,
  'must be scheme, host and port only, such as https://curbside.example',
);

/** A password in it would end up in errors. */
const traceCollector = httpUrl.refine(
  (text) => new URL(text).username === '' && new URL(text).search === '',
  'must have no user and no parameters',
);

const proxies = z.string().transform((text, ctx) => {
  if (text === 'true' || text === 'false') return text === 'true';
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.every(isProxyEntry)) return entries.join(',');
  ctx.addIssue(
    "must list your proxies as addresses or CIDR ranges (IPv4 from /8, IPv6 from /7), or be 'false'",
  );
  return z.NEVER;
});

/** Up to five lines of characters in the standard PDF fonts. */
const letterSender = z.string().transform((text, ctx) => {
  const lines = text.split('|').map((line) => line.trim());
  if (lines.length <= 5 && lines.every((line) => /^[\x20-\x7E\xA1-\xFF]{1,60}$/.test(line))) {
    return lines;
  }
  ctx.addIssue('must have one to five lines of up to 60 Latin letters, with | between them');
  return z.NEVER;
});

/** Describes a setting without a default, for the table in docs/operations.md. */
const unset = <T extends z.ZodType>(schema: T, meaning: string) =>
  schema.optional().meta({ unset: meaning });

const MAX_WORKERS = 64;
/** The most proofs by the mailboxes of a domain that may count in a month. */
export const MAILBOX_PROOFS_MAX = 1000;

const workers = z.string().transform((text, ctx) => {
  const count = text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS) return count;
  ctx.addIssue(`must be a number from 1 to ${MAX_WORKERS}, or auto`);
  return z.NEVER;
});

const port = z.coerce.number('must be a port').int().max(65535);
const MADE_ONCE = 'embedded: generated once';

/** All settings. A test compares them with the table in docs/operations.md. */
export const Settings = z.object({
  PORT: port.min(0).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  WORKERS: workers.default(1),
  METRICS_PORT: unset(port.min(1), 'none: no metrics'),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: unset(traceCollector, 'none: no traces'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number')
    .min(0, 'must be from 0 to 1')
    .max(1, 'must be from 0 to 1')
    .default(0.01),
  PUBLIC_URL: unset(origin, '`http://localhost:PORT`'),
  DATABASE_URL: unset(databaseUrl, 'none: embedded'),
  DATABASE_DIRECT_URL: unset(databaseUrl, '`DATABASE_URL`'),
  DATABASE_REPLICA_URLS: unset(databaseUrls, 'none'),
  DATABASE_STATEMENTS: z
    .enum(['named', 'unnamed'], "must be 'named' or 'unnamed'")
    .default('named'),
  DATA_DIR: z.string().min(1).default('data'),
  SMTP_URL: unset(
    z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }),
    'none: kept locally',
  ),
  MAIL_FROM: z.string().min(3).default('Curbside <no-reply@curbside.example>'),
  NPI_REGISTRY_URL: unset(httpUrl, 'CMS NPPES; embedded: a sample'),
  VERIFICATION: unset(
    z.enum(VERIFICATION_MODES, "must be 'proof', 'registry' or 'manual'"),
    '`proof`; embedded: `registry`',
  ),
  MAILBOX_PROOFS_PER_MONTH: z.coerce
    .number('must be a number')
    .int()
    .min(0)
    .max(MAILBOX_PROOFS_MAX)
    .default(5),
  LETTER_SENDER: unset(letterSender, 'none; embedded: a fictional address'),
  SEALING_KEYS: unset(sealingKeys, MADE_ONCE),
  INDEX_KEY: unset(keyList, MADE_ONCE),
  AUTHORSHIP_KEY: unset(keyList, MADE_ONCE),
  SESSION_KEY: unset(key, MADE_ONCE),
  BACKUP_RECIPIENT: unset(
    z.string().regex(/^age1[0-9a-z]+$/, 'must be an age recipient: age1…'),
    'none',
  ),
  SECURITY_CONTACT: unset(
    z.url({ protocol: /^(mailto|https)$/, error: 'must be a mailto: or https:// URL' }),
    'none; embedded: a fictional address',
  ),
  TRUST_PROXY: proxies.default(false),
  RATE_LIMIT_FACTOR: z.coerce.number('must be a number').positive('must be above 0').default(1),
  LOG_LEVEL: unset(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    '`info`; embedded: `warn`',
  ),
  DRAIN_SECONDS: unset(
    z.coerce.number('must be a number of seconds').int().min(0).max(300),
    '`5`; embedded: `0`',
  ),
  DEMO_ON_NETWORK: z.enum(['yes', 'no'], "must be 'yes' or 'no'").default('no'),
  DEV_PORT: unset(port.min(1), 'the port after `PORT`'),
  CHEAP_PASSWORDS: z.enum(['yes', 'no'], "must be 'yes' or 'no'").default('no'),
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
});
export type Settings = z.infer<typeof Settings>;

/** Settings that a production server requires. The embedded default chooses or generates them. */
export const REQUIRED = [
  'DATABASE_URL',
  'SMTP_URL',
  'PUBLIC_URL',
  'SEALING_KEYS',
  'INDEX_KEY',
  'AUTHORSHIP_KEY',
  'SESSION_KEY',
] as const satisfies (keyof Settings)[];

export const KEYS = ['SEALING_KEYS', 'INDEX_KEY', 'AUTHORSHIP_KEY', 'SESSION_KEY'] as const;

/** Settings hidden from child processes: keys, and URLs that contain passwords. */
export const DATABASE_URLS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
] as const satisfies (keyof Settings)[];

export const SECRETS = [...KEYS, ...DATABASE_URLS, 'SMTP_URL'] as const;
