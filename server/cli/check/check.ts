import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { sql } from 'kysely';
import type { NodemailerError } from 'nodemailer';
import { MINUTE_MS } from '#contract/limits.ts';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { SealError } from '#server/anonymity/seal.ts';
import { type Config, ConfigError, demoBesideService, loadConfig } from '#server/config/config.ts';
import type { Connections, Db } from '#server/db/open.ts';
import { sealingKeysInUse } from '#server/db/sealed-table.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { ageOfLast } from '#server/files/last-backup.ts';
import { lacksKeys, missingKeys } from '#server/key-prints.ts';
import { smtpMailer } from '#server/mail/mailer.ts';
import { httpNpiRegistry } from '#server/npi-registry/http.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { openFilesLimit } from '#server/plugins/load-shedding.ts';
import type { WithDatabase } from '../context.ts';
import { say, type Terminal } from '../terminal.ts';
import { checkDatabase, checkRoutes, reachDatabase } from './database.ts';
import { type Finding, reporter, SUBJECTS } from './result.ts';
import { checkSettings, listed, type Machine } from './settings.ts';

/** PostgreSQL's undefined_table. */
const NO_TABLE = '42P01';

/** Checks that every key that the database needs is present and correct. */
async function* checkKeys(
  { secrets }: Pick<Config, 'secrets'>,
  { db, pool }: Connections,
): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('keys');
  try {
    const lacking = await missingKeys(pool, secrets);
    if (lacking.length > 0) yield fail(lacksKeys(lacking));
    const used = await sealingKeysInUse(db);
    const missing = [...used].filter((id) => secrets.sealing.every((key) => key.id !== id));
    for (const id of missing) {
      yield fail(`the database needs the key with the id ${id}: add it to SEALING_KEYS`);
    }
    const wrong = missing.length === 0 && !(await opensAccounts(db, secrets));
    if (wrong) yield fail('SEALING_KEYS has the ids that the database needs, but with other keys');
    if (lacking.length + missing.length === 0 && !wrong) yield ok('all keys in use are set');
  } catch (error) {
    if ((error as { code?: string }).code !== NO_TABLE) throw error;
    yield warn('not checked before the migrations are applied');
  }
}

/** Tries one account per key. */
async function opensAccounts(db: Db, secrets: Config['secrets']): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select distinct on (substring(sealed from 3 for get_byte(sealed, 1))) id from users`.execute(
    db,
  );
  const keys = deriveKeys(secrets);
  try {
    for (const { id } of rows) await loadProfile(keys, db, id);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}

const HOUR_MS = 60 * MINUTE_MS;
/** A nightly backup may start later, or take longer, than the last one. */
const BACKUP = { warn: 26, fail: 50 };
/** In hours. It should run every ten minutes. */
const INVENTORY = { warn: 1, fail: 24 };

async function* checkBackup({
  dataDir,
  embedded,
}: Pick<Config, 'dataDir' | 'embedded'>): AsyncGenerator<Finding> {
  if (embedded) {
    yield reporter('backup').ok('not needed for the embedded default');
    return;
  }
  yield await checkLast('backup', dataDir, BACKUP, 'every night');
  yield await checkLast('inventory', dataDir, INVENTORY, 'every ten minutes');
}

async function checkLast(
  what: 'backup' | 'inventory',
  dataDir: string,
  hours: { readonly warn: number; readonly fail: number },
  interval: string,
): Promise<Finding> {
  const { ok, warn, fail } = reporter(what);
  try {
    const age = await ageOfLast(dataDir, what, Date.now());
    if (age === null) {
      return warn(`no ${what} has finished yet: make one ${interval} (docs/backups.md)`);
    }
    const long = what === 'backup' ? `${Math.floor(age / HOUR_MS)} hours` : minutes(age);
    const says = `the last one finished ${long} ago`;
    if (age >= hours.fail * HOUR_MS) return fail(`${says}: find out why it fails`);
    if (age >= hours.warn * HOUR_MS) return warn(`${says}: it should run ${interval}`);
    return ok(says);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return fail(`${error.message}: make ${what === 'backup' ? 'a backup' : 'an inventory'}`);
  }
}

const minutes = (ms: number) => `${Math.floor(ms / MINUTE_MS)} minutes`;

const PATIENCE_MS = 5000;

const { ok, fail } = reporter('site');

/** Whether each server of this machine, and the site's public address, lead to Curbside. */
async function* checkSite(
  { SERVICE_PORTS }: Machine,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): AsyncGenerator<Finding> {
  for (const port of listed(SERVICE_PORTS)) {
    const answer = await ask(`http://127.0.0.1:${port}/readyz`);
    const name = `curbside-server@${port}`;
    if (answer === 200) yield ok(`${name} is ready`);
    else if (typeof answer === 'number') {
      yield fail(`${name} is not ready (${answer}): see journalctl -u ${name}`);
    } else yield fail(`${name} ${answer}: see systemctl status ${name}`);
  }
  const answer = await ask(`${publicUrl}/healthz`);
  if (answer === 200) yield ok('PUBLIC_URL leads to Curbside');
  else {
    const what = typeof answer === 'number' ? `answers ${answer}` : answer;
    yield fail(`PUBLIC_URL ${what}: check the proxy, its certificate, DNS, and PUBLIC_URL`);
  }
}

/** The status of the answer, or what is wrong. Curbside repeats the id of a request. */
async function ask(url: string): Promise<number | string> {
  const id = randomUUID();
  try {
    const { status, headers } = await fetch(url, {
      headers: { 'x-request-id': id },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (status >= 500) return status;
    return headers.get('x-request-id') === id ? status : 'leads to another program';
  } catch (error) {
    const { code = 'no answer' } = ((error as Error).cause ?? {}) as { code?: string };
    return `cannot be reached (${code})`;
  }
}

/** The example from CMS for the check digit ("Requirements for NPI", 2004): assigned to nobody. */
const EXAMPLE_NPI = '1234567893';

/** Like the server, queries no outside service if a registry is imported. */
async function* checkRegistry(
  { npiRegistryUrl, embedded }: Pick<Config, 'npiRegistryUrl' | 'embedded'>,
  { pool }: Pick<Connections, 'pool'>,
): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('registry');
  const imported = await importedOn(pool);
  if (imported !== null) {
    yield ok(`imported on ${imported}`);
    return;
  }
  const { host } = new URL(npiRegistryUrl);
  try {
    await httpNpiRegistry(npiRegistryUrl).lookUp(EXAMPLE_NPI);
    yield ok(`${host} answers`);
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    if (embedded) yield warn(`the sample registry does not respond: run npm start`);
    else
      yield fail(
        `${host} does not respond as expected: check NPI_REGISTRY_URL, or import the registry`,
      );
  }
}

/** The day of the newest imported file, as `YYYY-MM-DD`. */
async function importedOn(pool: Connections['pool']): Promise<string | null> {
  const { rows: tables } = await pool.query(
    "select where to_regclass('registry_files') is not null",
  );
  if (tables.length === 0) return null;
  const { rows } = await pool.query<{ day: string | null }>(
    'select max(imported_on)::text as day from registry_files',
  );
  return rows[0]?.day ?? null;
}

const MB = 1024 * 1024;
/** The embedded database alone needs 100 MB to start. */
const FAIL_MB = 200;
const WARN_MB = 1024;

/** DATA_DIR, and on a server of its own also the backups and the database. */
async function* checkDisk(
  { SERVICE_FOLDERS }: Machine,
  { dataDir }: Pick<Config, 'dataDir'>,
): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('disk');
  const folders = new Map([['DATA_DIR', existingPart(path.resolve(dataDir))]]);
  for (const folder of listed(SERVICE_FOLDERS)) folders.set(folder, folder);
  for (const [name, folder] of folders) {
    const disk = await statfs(folder).catch(() => null);
    if (!disk) {
      yield fail(`${name} cannot be read`);
      continue;
    }
    const { bavail, bsize } = disk;
    const free = Math.floor((bavail * bsize) / MB);
    const says = `${free} MB free for ${name}`;
    if (free < FAIL_MB) yield fail(`${says}: free at least ${WARN_MB} MB`);
    else if (free < WARN_MB) yield warn(`${says}: free at least ${WARN_MB} MB`);
    else yield ok(says);
  }
}

/** A production server may not have written to it yet. */
function existingPart(folder: string): string {
  return existsSync(folder) ? folder : existingPart(path.dirname(folder));
}

/** What to do about an error from nodemailer, by its code. The server's own text may quote the user. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  EAUTH: 'rejects the login: check user and password in SMTP_URL',
  ETLS: 'offers no TLS, or no valid certificate: use smtps://, or a server with STARTTLS',
  EDNS: 'cannot be found: check the host in SMTP_URL',
  ETIMEDOUT: 'does not respond: check host, port, and firewall',
  ECONNECTION: 'cannot be reached: check host and port in SMTP_URL',
  ESOCKET: 'cannot be reached, or its certificate is not valid: check host and port in SMTP_URL',
};

/** Connects as the server does, with STARTTLS and login, and sends nothing. */
async function* checkMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): AsyncGenerator<Finding> {
  const { ok, fail } = reporter('mail');
  if (smtpUrl === null) {
    yield ok('kept locally, at /dev/mail');
    return;
  }
  const { host } = new URL(smtpUrl);
  const mailer = smtpMailer(smtpUrl, mailFrom);
  try {
    await mailer.verify();
    yield ok(`${host} accepts our mail`);
  } catch (error) {
    const { code = '' } = error as NodemailerError;
    const what = WHAT_TO_DO[code] ?? 'rejects the connection: check its log';
    yield fail(`${host} ${what}`);
  } finally {
    mailer.close();
  }
}

/** Leaves room for some 900 connections. */
const OPEN_FILES_MIN = 1024;
const WIDTH = Math.max(...SUBJECTS.map(({ length }) => length));

/** `curbside check`. It loads the settings itself, because it must report what is wrong with them. */
export function checkCommand(
  _withDatabase: WithDatabase,
  terminal: Terminal,
  settings: () => NodeJS.ProcessEnv,
): Command {
  return new Command('check')
    .description(
      'Checks settings, database, keys, mail, registry, site, disks, and backups. Changes nothing.',
    )
    .action(async () => {
      let failed = 0;
      for await (const { level, what, says } of findings(settings())) {
        say(terminal, `${level.padEnd(4)}  ${what.padEnd(WIDTH)}  ${says}`);
        if (level === 'fail') failed += 1;
      }
      if (failed > 0)
        throw new OperatorError(failed === 1 ? '1 check failed' : `${failed} checks failed`);
    });
}

async function* findings(env: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('settings');
  if (isUnused(env) && demoBesideService().length === 0) {
    yield warn('the embedded default, which has never been started: run npm start');
    return;
  }
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) for (const line of error.lines) yield fail(line);
    else yield fail(error instanceof OperatorError ? error.message : 'cannot be read');
    return;
  }
  const advice = [...checkSettings(env, config)];
  yield* advice;
  if (config.embedded) yield warn('the embedded default: for trying it out, not for real reviews');
  else if (advice.length === 0) yield ok('all settings are present and safe');
  const openFiles = openFilesLimit();
  if (openFiles !== null && openFiles < OPEN_FILES_MIN) {
    yield warn(`only ${openFiles} open files: raise LimitNOFILE or ulimit -n to ${OPEN_FILES_MIN}`);
  }
  yield* stored(config);
  yield* checkMail(config);
  if (!config.embedded) yield* checkSite(env, config);
  yield* checkDisk(env, config);
  yield* checkBackup(config);
}

/** Checks that need the database. */
async function* stored(config: Config): AsyncGenerator<Finding> {
  const reached = await reachDatabase(config);
  if (typeof reached === 'string') {
    yield reporter('database').fail(reached);
    for (const what of ['keys', 'registry'] as const) {
      yield reporter(what).warn('not checked without the database');
    }
    return;
  }
  try {
    yield* checkDatabase(config, reached);
    yield* checkRoutes(config);
    yield* checkKeys(config, reached);
    yield* checkRegistry(config, reached);
  } finally {
    await reached.close();
  }
}

/** Loading the settings of the embedded default for the first time would create its keys. */
function isUnused({ NODE_ENV, DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv): boolean {
  if (NODE_ENV === 'production' || DATABASE_URL) return false;
  return !existsSync(path.resolve(DATA_DIR || 'data', 'secrets.json'));
}
