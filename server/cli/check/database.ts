import type pg from 'pg';
import type { Config } from '#server/config/config.ts';
import { findPlace } from '#server/db/embedded/places.ts';
import { findRunning } from '#server/db/embedded/server.ts';
import { sqlStateOf } from '#server/db/errors.ts';
import { MAY_NOT_CREATE, pendingMigrations } from '#server/db/migrate.ts';
import { CONNECTIONS, type Connections, type Database, openDatabase } from '#server/db/open.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
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

export async function* checkDatabase(
  config: Pick<Config, 'directUrl' | 'workers'>,
  { pool }: Pick<Connections, 'pool'>,
): AsyncGenerator<Finding> {
  const before = Date.now();
  const state = await stateOf(pool);
  yield* checkServer(state);
  yield checkConnections(config, state);
  yield* checkLog(state);
  if (!state.is_local) yield checkClock(state, before, Date.now());
  yield await checkMigrations(pool);
}

interface State {
  readonly version: number;
  readonly is_standby: boolean;
  readonly seconds: number;
  /** Whether it runs on this machine, which has one clock. */
  readonly is_local: boolean;
  /** Extensions that are not installed and not available. */
  readonly missing: string[];
  /** Whether the user may create tables, and the schema of the job queue. */
  readonly may_create: boolean;
  /** Connections for users that are not superusers. */
  readonly connections: number;
  /** The values of `LOG_SETTINGS`, in the same order. */
  readonly log: (string | null)[];
}

const STATE = `select current_setting('server_version_num')::int / 10000 as version,
  pg_is_in_recovery() as is_standby,
  extract(epoch from clock_timestamp())::float8 as seconds,
  inet_client_addr() is not distinct from inet_server_addr() as is_local,
  array(
    select name from unnest($1::text[]) as name
    where name not in (select extname from pg_extension)
      and name not in (select name from pg_available_extensions)
  ) as missing,
  has_schema_privilege('public', 'create')
    and has_database_privilege(current_database(), 'create') as may_create,
  current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int as connections,
  array(select current_setting(name, true) from unnest($2::text[]) as name) as log`;

async function stateOf(pool: pg.Pool): Promise<State> {
  const { rows } = await pool.query<State>(STATE, [EXTENSIONS, Object.keys(LOG_SETTINGS)]);
  const [state] = rows;
  if (!state) throw new Error('the database returned nothing');
  return state;
}

function* checkServer({ version, is_standby, missing, may_create }: State): Generator<Finding> {
  if (version < OLDEST) yield fail(`is PostgreSQL ${version}: upgrade to ${OLDEST} or newer`);
  else yield ok(`responds: PostgreSQL ${version}`);
  if (is_standby) yield fail('is a standby, which is read-only: name the primary in DATABASE_URL');
  if (missing.length > 0) {
    yield fail(`lacks ${missing.join(' and ')}: install the contrib package of PostgreSQL`);
  }
  if (!may_create) yield fail(MAY_NOT_CREATE);
}

/** Through a pooler, requests use its connections instead. */
function checkConnections(
  { directUrl, workers }: Pick<Config, 'directUrl' | 'workers'>,
  { connections }: State,
): Finding {
  const each = CONNECTIONS.background + (directUrl ? 0 : CONNECTIONS.requests);
  const processes = Math.floor(connections / each);
  const says = `allows ${connections} connections, enough for ${processes} processes of ${each}`;
  if (processes >= workers) return ok(says);
  return fail(`${says}: raise max_connections, or lower WORKERS (${workers})`);
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
    return fail(error.message);
  }
}

/** Every transaction is read-only, so that a check cannot change anything. */
const SETTINGS = { max: 2, options: '-c default_transaction_read_only=on' };

/** Connects to the server itself, or to the embedded one if it runs. Otherwise returns what to do. */
export async function reachDatabase({
  databaseUrl,
  directUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'directUrl' | 'dataDir'>): Promise<Database | string> {
  if (directUrl) return reachUrl(directUrl, 'DATABASE_DIRECT_URL');
  if (databaseUrl) return reachUrl(databaseUrl, 'DATABASE_URL');
  try {
    const running = await findRunning(findPlace(dataDir));
    if (!running) return 'the embedded database is not running: run npm start';
    return await reach({ ...running.connection, database: 'curbside' }, 'DATA_DIR');
  } catch (error) {
    return whatToDo(error, 'DATA_DIR');
  }
}

const reachUrl = (connectionString: string, setting: string): Promise<Database | string> =>
  reach({ connectionString }, setting);

/** Connects without migrating or starting anything. If it cannot, returns what to do. */
async function reach(connection: pg.PoolConfig, setting: string): Promise<Database | string> {
  let database: Database | undefined;
  try {
    database = openDatabase({ ...connection, ...SETTINGS }, () => {});
    await database.pool.query('select 1');
    return database;
  } catch (error) {
    await database?.close();
    return whatToDo(error, setting);
  }
}

/** By code: an error's text may quote settings. */
function whatToDo(error: unknown, setting: string): string {
  if (error instanceof OperatorError) return error.message;
  const [{ code = '' }] = (error instanceof AggregateError ? error.errors : [error]) as [
    { code?: string },
  ];
  if (code.startsWith('28')) return `rejects the login: check user and password in ${setting}`;
  if (code === '3D000') return `does not exist: create the database that ${setting} names`;
  if (code === '53300') return 'has no connections left: raise max_connections';
  if (code.startsWith('57P0')) return 'is starting or stopping: check its log';
  // A driver's error about the login, before the server sees it.
  if (error instanceof Error && error.message.startsWith('SASL')) {
    return `wants a password: add the one of its user to ${setting}`;
  }
  const cause = code === '' ? 'no response, or no TLS' : code;
  return `cannot be reached (${cause}): check host, port, and sslmode in ${setting}`;
}

/** The pooler and the replicas, if any. */
export async function* checkRoutes({
  databaseUrl,
  directUrl,
  replicaUrls,
  namedStatements,
}: Pick<
  Config,
  'databaseUrl' | 'directUrl' | 'replicaUrls' | 'namedStatements'
>): AsyncGenerator<Finding> {
  if (databaseUrl && directUrl) {
    const pooler = await reachUrl(databaseUrl, 'DATABASE_URL');
    if (typeof pooler === 'string') yield fail(`the pooler ${pooler}`);
    else {
      try {
        yield* checkPooler(pooler, namedStatements);
      } finally {
        await pooler.close();
      }
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
      ? ok(`${name} responds`)
      : fail(`${name} is not a standby: remove it from DATABASE_REPLICA_URLS`);
    yield* logWarnings(state, `${name}: its`);
  }
}

/** Codes of a statement that another connection has, and this one lacks, or the other way round. */
const UNKNOWN_OR_DUPLICATE = ['26000', '42P05'];

async function* checkPooler({ pool }: Database, named: boolean): AsyncGenerator<Finding> {
  const { rows } = await pool.query<{ ms: number }>(
    "select setting::int as ms from pg_settings where name = 'statement_timeout'",
  );
  if (rows[0]?.ms !== TIME_OUTS.statement.ms) {
    yield fail('the pooler drops the timeouts: set its connect_query (docs/operations.md)');
  }
  if (named && !(await keepsStatements(pool))) {
    yield fail(
      'the pooler does not keep prepared statements: set DATABASE_STATEMENTS=unnamed, or its max_prepared_statements',
    );
  }
  yield ok('the pooler responds');
}

/** Uses a statement again while another client has the connection that it was prepared on. */
async function keepsStatements(pool: Database['pool']): Promise<boolean> {
  const statement = { name: 'curbside_check', text: 'select $1::int', values: [1] };
  const [one, other] = [await pool.connect(), await pool.connect()];
  try {
    await one.query(statement);
    await other.query('begin');
    await one.query(statement);
    return true;
  } catch (error) {
    if (UNKNOWN_OR_DUPLICATE.includes(sqlStateOf(error) ?? '')) return false;
    throw error;
  } finally {
    for (const client of [one, other]) client.release(true);
  }
}
