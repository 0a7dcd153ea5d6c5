import type { Config } from '#server/config/config.ts';
import { sqlStateOf } from '#server/db/errors.ts';
import type { Database } from '#server/db/open.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { logWarnings, reachUrl, stateOf } from './database.ts';
import { type Finding, reporter } from './result.ts';

const { ok, warn, fail } = reporter('database');

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
