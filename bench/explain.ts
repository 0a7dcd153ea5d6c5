import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Db, SESSION } from '#server/db/open.ts';
import { isUnnamed } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';

export interface Case {
  readonly title: string;
  /** Queries the database as the server does. */
  readonly ask: (db: Db) => Promise<unknown>;
}

export interface Plan {
  readonly title: string;
  readonly sql: string;
  readonly text: string;
  /** The fastest of the last runs. Other load slows down the rest. */
  readonly milliseconds: number;
}

/** PostgreSQL plans the first five runs one by one. After that it may choose a generic plan. */
const RUNS = 10;
const SETTLED = 5;

/** The plan of each query of each case, prepared and with warm caches, as on the server. */
export async function explainAll(connectionString: string, cases: readonly Case[]) {
  const pool = new pg.Pool({ connectionString, max: 1, ...SESSION });
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
    for (const query of [...asked]) plans.push({ title, ...(await explain(pool, query)) });
  }
  await db.destroy();
  return plans;
}

async function explain(pool: pg.Pool, { sql, parameters }: CompiledQuery) {
  const client = await pool.connect();
  try {
    // Unnamed statements are planned each time, with their values.
    const mode = isUnnamed(sql) ? 'force_custom_plan' : 'auto';
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare asked as ${sql}`);
    const values = parameters.map(literal).join(', ');
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) {
      const { rows } = await client.query(
        `explain (analyze, buffers, costs off) execute asked${values && ` (${values})`}`,
      );
      const lines = rows.map((row) => String(row['QUERY PLAN']));
      const time = lines.find((line) => line.startsWith('Execution Time'));
      runs.push({ text: lines.join('\n'), milliseconds: Number(time?.match(/[\d.]+/)?.[0]) });
    }
    const [fastest] = runs.slice(SETTLED).sort((a, b) => a.milliseconds - b.milliseconds);
    if (!fastest) throw new Error('no run was measured');
    return { sql, ...fastest };
  } finally {
    await client.query('deallocate all');
    client.release();
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
  return value instanceof Date
    ? pg.escapeLiteral(value.toISOString())
    : pg.escapeLiteral(String(value));
}
