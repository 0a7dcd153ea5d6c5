import type pg from 'pg';
import type { Config } from '#server/config.ts';
import { pendingMigrations } from '#server/db/migrate.ts';
import type { Connections } from '#server/db/open.ts';
import { OperatorError } from '#server/operator-error.ts';
import { reachUrl } from './reach-database.ts';
import { type Finding, reporter } from './result.ts';

const OLDEST = 15;
const EXTENSIONS = ['pg_trgm', 'unaccent'];
/** A code from an authenticator app is valid for 30 s, and a sign-up code for 10 min. */
const CLOCK_WARN_S = 5;
const CLOCK_FAIL_S = 60;

/**
 * Log settings that keep rows and statements out of the log, with the preferred value first. An
 * ERROR quotes rows, and `log` is the level above it.
 */
const LOG_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  log_min_messages: ['log', 'fatal', 'panic'],
  log_statement: ['none'],
  log_min_duration_statement: ['-1'],
  log_min_duration_sample: ['-1'],
  log_transaction_sample_rate: ['0'],
  log_lock_waits: ['off'],
  log_temp_files: ['-1'],
  // An extension, which may not be loaded.
  'auto_explain.log_min_duration': ['-1', ''],
};

const { ok, warn, fail } = reporter('database');

export async function* checkDatabase({ pool }: Pick<Connections, 'pool'>): AsyncGenerator<Finding> {
  const before = Date.now();
  const state = await stateOf(pool);
  yield* checkServer(state);
  yield* checkLog(state);
  yield checkClock(state, before, Date.now());
  yield await checkMigrations(pool);
}

/** The pooler and the replicas, if any. */
export async function* checkRoutes({
  databaseUrl,
  directUrl,
  replicaUrls,
}: Pick<Config, 'databaseUrl' | 'directUrl' | 'replicaUrls'>): AsyncGenerator<Finding> {
  if (databaseUrl && directUrl) {
    const pooler = await reachUrl(databaseUrl, 'DATABASE_URL');
    if (typeof pooler === 'string') yield fail(`the pooler ${pooler}`);
    else {
      await pooler.close();
      yield ok('the pooler responds');
    }
  }
  for (const [at, url] of replicaUrls.entries()) {
    const name = `replica ${at + 1}`;
    const replica = await reachUrl(url, 'DATABASE_REPLICA_URLS');
    if (typeof replica === 'string') {
      yield warn(`${name} ${replica}. Meanwhile, the primary serves its reads`);
      continue;
    }
    const state = await stateOf(replica.pool);
    await replica.close();
    yield state.is_standby
      ? ok(`${name} answers`)
      : fail(`${name} is not a standby: remove it from DATABASE_REPLICA_URLS`);
    yield* logWarnings(state, `${name}: its`);
  }
}

interface State {
  readonly version: number;
  readonly is_standby: boolean;
  readonly seconds: number;
  /** Extensions that are not installed and not available. */
  readonly missing: string[];
  /** The values of `LOG_SETTINGS`, in the same order. */
  readonly log: (string | null)[];
}

const STATE = `select current_setting('server_version_num')::int / 10000 as version,
  pg_is_in_recovery() as is_standby,
  extract(epoch from clock_timestamp())::float8 as seconds,
  array(
    select name from unnest($1::text[]) as name
    where name not in (select extname from pg_extension)
      and name not in (select name from pg_available_extensions)
  ) as missing,
  array(select current_setting(name, true) from unnest($2::text[]) as name) as log`;

async function stateOf(pool: pg.Pool): Promise<State> {
  const { rows } = await pool.query<State>(STATE, [EXTENSIONS, Object.keys(LOG_SETTINGS)]);
  const [state] = rows;
  if (!state) throw new Error('the database returned nothing');
  return state;
}

function* checkServer({ version, is_standby, missing }: State): Generator<Finding> {
  if (version < OLDEST) yield fail(`is PostgreSQL ${version}: upgrade to ${OLDEST} or newer`);
  else yield ok(`responds: PostgreSQL ${version}`);
  if (is_standby) yield fail('is a standby, which is read-only: name the primary in DATABASE_URL');
  if (missing.length > 0) {
    yield fail(`lacks ${missing.join(' and ')}: install the contrib package of PostgreSQL`);
  }
}

function* checkLog(state: State): Generator<Finding> {
  const warnings = logWarnings(state, 'its');
  yield* warnings;
  if (warnings.length === 0) yield ok('its log contains no rows and no statements');
}

const logWarnings = ({ log }: State, whose: string): Finding[] =>
  Object.entries(LOG_SETTINGS)
    .filter(([, safe], at) => !safe.includes(log[at] ?? ''))
    .map(([name, [safe]]) =>
      warn(
        `${whose} log may contain rows and statements: set ${name} to ${safe} (docs/operations.md)`,
      ),
    );

/** The database's clock was read between these two times. */
function checkClock({ seconds }: State, before: number, after: number): Finding {
  const theirs = seconds * 1000;
  const off = Math.round(Math.max(before - theirs, theirs - after, 0) / 1000);
  const says = `its clock and ours differ by ${off} s: run NTP on both machines`;
  if (off >= CLOCK_FAIL_S) return fail(says);
  return off >= CLOCK_WARN_S ? warn(says) : ok('its clock and ours agree');
}

async function checkMigrations(pool: pg.Pool): Promise<Finding> {
  try {
    const pending = await pendingMigrations(pool);
    if (pending.length === 0) return ok('all migrations are applied');
    return warn(`${pending.length} migrations are pending: the next start applies them`);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return fail(`${error.message}: run the matching version of Curbside`);
  }
}
