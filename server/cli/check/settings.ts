import { closest, distance } from 'fastest-levenshtein';
import type { Config } from '#server/config/config.ts';
import { Settings } from '#server/config/settings.ts';
import { type Finding, reporter } from './result.ts';

/** What the program `ops/systemd/curbside` tells about this machine, as only root can know it. */
export interface Machine {
  /** The names in the settings file of the services, and its permissions in octal. */
  readonly SERVICE_SETTINGS?: string | undefined;
  readonly SERVICE_SETTINGS_MODE?: string | undefined;
  /** The ports of the servers, on loopback. */
  readonly SERVICE_PORTS?: string | undefined;
  /** The folders of the backups and of a local database, if they exist. */
  readonly SERVICE_FOLDERS?: string | undefined;
}

export const listed = (text = ''): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Names that programs below Curbside read. */
const OTHERS = /^(?:NODE_|PG|OTEL_|SSL_|LC_)|^(?:LANG|TZ)$/;
const KNOWN = Object.keys(Settings.shape);
/** Shorter names are too much like others, such as HOME. */
const LIKE_MIN = 6;
const LIKE_DISTANCE = 2;

const { warn, fail } = reporter('settings');

/** What is allowed, but unlikely to be meant on a public site. */
export function* checkSettings(
  env: NodeJS.ProcessEnv & Machine,
  config: Pick<Config, 'embedded' | 'securityContact' | 'letterSender' | 'verification'>,
): Generator<Finding> {
  const inFile = listed(env.SERVICE_SETTINGS).filter((name) => !OTHERS.test(name));
  for (const name of new Set([...inFile, ...Object.keys(env)])) {
    if (KNOWN.includes(name)) continue;
    const meant = closest(name.toUpperCase(), KNOWN);
    if (inFile.includes(name) || isLike(meant, name)) {
      yield fail(`${name} is not a setting: remove it, or write ${meant}`);
    }
  }
  if (/[^0]$|[^0].$/.test(env.SERVICE_SETTINGS_MODE?.slice(-2) ?? '')) {
    yield fail(`its file has mode ${env.SERVICE_SETTINGS_MODE}: run chmod 600 on it`);
  }
  if (config.embedded) return;
  if (!env['MAIL_FROM']) yield fail('MAIL_FROM: set it to an address of yours');
  if (!config.securityContact) {
    yield warn('SECURITY_CONTACT: set it, so that people can report a vulnerability');
  }
  if (!config.letterSender) yield warn('LETTER_SENDER: set it, or no letter can be printed');
  if (config.verification === 'registry') {
    yield warn('VERIFICATION=registry verifies whoever knows the name of an NPI: set it to proof');
  }
}

const isLike = (known: string, name: string) =>
  known.length >= LIKE_MIN && distance(known, name.toUpperCase()) <= LIKE_DISTANCE;
