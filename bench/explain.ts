import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

export interface Case {
  readonly title: string;
  /** Asks the database as the server does. */
  readonly ask: (db: Db) => Promise<unknown>;
}

export interface Plan {
  readonly title: string;
  readonly sql: string;
  readonly text: string;
  /** Of the fastest of `RUNS`: the others have waited for something else. */
  readonly milliseconds: number;
}

const RUNS = 5;
/** As a prepared statement is planned at first, and as it may be later: for any values. */
const MODES = ['force_custom_plan', 'force_generic_plan'] as const;

/** How PostgreSQL goes about each query of each case, warm; the slower of both kinds of plan. */
export async function explainAll(connectionString: string, cases: readonly Case[]) {
  const pool = new pg.Pool({ connectionString, max: 1 });
  const asked: CompiledQuery[] = [];
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log({ query }) {
      asked.push(query);
    },
  });
  const plans: Plan[] = [];
  for (const { title, ask } of cases) {
    asked.length = 0;
    await ask(db);
    for (const query of [...asked]) plans.push({ title, ...(await slowest(pool, query)) });
  }
  await db.destroy();
  return plans;
}

async function slowest(pool: pg.Pool, query: CompiledQuery) {
  const plans = [];
  for (const mode of MODES) {
    const client = await pool.connect();
    try {
      plans.push(await fastestRun(client, mode, query));
    } finally {
      client.release(true);
    }
  }
  const [plan] = plans.sort((a, b) => b.milliseconds - a.milliseconds);
  if (!plan) throw new Error('no plan was made');
  return { sql: query.sql, ...plan };
}

async function fastestRun(client: pg.PoolClient, mode: string, query: CompiledQuery) {
  await client.query(`set plan_cache_mode = ${mode}`);
  await client.query(`prepare asked as ${query.sql}`);
  const values = query.parameters.map(literal).join(', ');
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { rows } = await client.query(
      `explain (analyze, buffers, costs off) execute asked${values && ` (${values})`}`,
    );
    const lines = rows.map((row) => String(row['QUERY PLAN']));
    const time = lines.find((line) => line.startsWith('Execution Time'));
    runs.push({ text: lines.join('\n'), milliseconds: Number(time?.match(/[\d.]+/)?.[0]) });
  }
  const [fastest] = runs.sort((a, b) => a.milliseconds - b.milliseconds);
  if (!fastest) throw new Error('nothing was run');
  return fastest;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
  return value instanceof Date
    ? pg.escapeLiteral(value.toISOString())
    : pg.escapeLiteral(String(value));
}
