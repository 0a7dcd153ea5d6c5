import type pg from 'pg';

/** A row as anyone with the database sees it: its values, its place, and its transaction. */
export interface DumpedRow {
  readonly ctid: string;
  readonly xmin: string;
  /** Column -> text; bytes as `\x…`. */
  readonly columns: Readonly<Record<string, unknown>>;
}

export interface Dump {
  /** `schema.table` -> its rows in physical order. */
  readonly tables: ReadonlyMap<string, readonly DumpedRow[]>;
  readonly sequences: readonly unknown[];
}

/** Reads everything in the database: every schema, every table, every column. */
export async function dumpDatabase(pool: pg.Pool): Promise<Dump> {
  const { rows: names } = await pool.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')
     order by 1`,
  );
  const tables = new Map<string, DumpedRow[]>();
  for (const { name } of names) {
    const { rows } = await pool.query<DumpedRow>(
      `select ctid::text, xmin::text, to_jsonb(t) as columns from ${name} as t order by t.ctid`,
    );
    tables.set(name, rows);
  }
  const { rows: sequences } = await pool.query(
    'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
  );
  return { tables, sequences };
}
