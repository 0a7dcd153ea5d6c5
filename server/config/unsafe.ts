import { keyErrors, type NamedKeys } from './keys.ts';
import { DATABASE_URLS, isLoopbackHost, KEYS, type Settings } from './settings.ts';

/** Production can tune limits but not disable them. Elsewhere, tests send thousands of requests. */
const RATE_LIMIT_FACTOR = { production: [0.1, 10], elsewhere: [0, 1_000_000] } as const;

/** Finds unsafe combinations of valid settings. Returns one line per error, with what to do. */
export function unsafeSettings(
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
