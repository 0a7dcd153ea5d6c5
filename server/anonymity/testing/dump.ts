import type pg from 'pg';
import { type Fragment, placeOf, readFiles } from './files.ts';

/** A row as anyone with the database sees it: its values, its place, and its transactions. */
export interface DumpedRow {
  readonly ctid: string;
  /** `schema.table` of its file: a partition, or the table itself. */
  readonly part?: string;
  /** The transaction that wrote it, and the one that deleted or locked it, or '0'. */
  readonly xmin: string;
  readonly xmax: string;
  /** What is left in a file of a table with one row per review. */
  readonly isVersion?: boolean;
  /** Column -> text; bytes as `\x…`. */
  readonly columns: Readonly<Record<string, unknown>>;
}

export interface Dump {
  /** `schema.table` -> its rows in physical order, partition by partition. */
  readonly tables: ReadonlyMap<string, readonly DumpedRow[]>;
  readonly sequences: readonly unknown[];
  /** The rest of the database's files; none in a backup. */
  readonly fragments: readonly Fragment[];
}

/** The column for the ids of values that a row keeps out of line. */
const OUT_OF_LINE = 'chunk_ids';

/** Reads every row in the database: every schema, every table, every column. */
export async function dumpRows(pool: pg.Pool): Promise<Dump> {
  const { rows: parts } = await pool.query<{ name: string; part: string }>(
    `select format('%I.%I', nspname, whole.relname) as name, format('%I.%I', nspname, c.relname) as part
     from pg_class as c join pg_namespace on pg_namespace.oid = relnamespace
       join pg_class as whole on whole.oid = coalesce(pg_partition_root(c.oid), c.oid)
     where c.relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')
       -- A replica has no unlogged tables.
       and not (c.relpersistence = 'u' and pg_is_in_recovery())
     order by 1, 2`,
  );
  const tables = new Map<string, DumpedRow[]>();
  for (const { name, part } of parts) {
    const { rows } = await pool.query<DumpedRow>(
      `select ctid::text, $1 as part, xmin::text, xmax::text, to_jsonb(t) as columns
       from ${part} as t order by t.ctid`,
      [part],
    );
    tables.set(name, [...(tables.get(name) ?? []), ...rows]);
  }
  const { rows: sequences } = await pool.query(
    'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
  );
  return { tables, sequences, fragments: [] };
}

/** Reads everything in the database: every row, and every byte of its files after a checkpoint. */
export async function dumpDatabase(pool: pg.Pool): Promise<Dump> {
  const { tables, sequences } = await dumpRows(pool);
  const { fragments, outOfLine } = await readFiles(pool, tables);
  const withIds = (row: DumpedRow) => {
    const ids = outOfLine.get(placeOf(row));
    return ids ? { ...row, columns: { ...row.columns, [OUT_OF_LINE]: { ...ids } } } : row;
  };
  const whole = [...tables].map(([name, rows]): [string, DumpedRow[]] => [name, rows.map(withIds)]);
  return { tables: new Map(whole), sequences, fragments };
}
