import type pg from 'pg';
import { chunkIdsOf, PAGE, rowsOfPage, timesOf } from './pages.ts';

/** Bytes in the database's files that are no live row of a table that a dump reads. */
export interface Fragment {
  /** `files.` and the name of the table or index. */
  readonly table: string;
  readonly ctid: string;
  readonly xmin: string;
  readonly xmax: string;
  readonly bytes: Buffer;
  /** Whether all of it was one row. Otherwise, values next to each other need not belong together. */
  readonly isRow: boolean;
  readonly times: readonly number[];
  /** Whether its table has one row per review. */
  readonly isOfReview: boolean;
}

interface Relation {
  /** The name of its file. */
  readonly file: string;
  readonly name: string;
  /** The table that keeps long values here. */
  readonly owner: string | null;
  readonly columns: number;
  readonly toast: number;
  readonly is_table: boolean;
  readonly is_of_review: boolean;
}

const RELATIONS = `
  select split_part(pg_relation_filepath(c.oid), '/', 3) as file,
    format('%I.%I', nspname, c.relname) as name,
    (select format('%I.%I', n.nspname, o.relname) from pg_class as o
       join pg_namespace as n on n.oid = o.relnamespace where o.reltoastrelid = c.oid) as owner,
    c.relnatts::int as columns, c.reltoastrelid::bigint::float8 as toast,
    c.relkind in ('r', 't', 'm') as is_table,
    exists (select from pg_constraint as key
      where key.conrelid = c.oid and contype = 'p' and cardinality(conkey) = 1
        and (c.oid = 'reviews'::regclass
          or exists (select from pg_constraint as other where other.conrelid = c.oid
            and other.contype = 'f' and other.confrelid = 'reviews'::regclass
            and other.conkey = key.conkey)
          or exists (select from pg_attribute where attrelid = c.oid and attname = 'author_key'))
    ) as is_of_review
  from pg_class as c join pg_namespace on pg_namespace.oid = c.relnamespace
  where pg_relation_filepath(c.oid) is not null`;

interface Place {
  readonly part?: string;
  readonly ctid: string;
}

/** Where a row is in the files. */
export const placeOf = ({ part, ctid }: Place) => `${part} ${ctid}`;

/**
 * Reads every file of the database, as they are on disk after a checkpoint. Returns the bytes that are
 * no live row in `tables`, and which live rows keep values out of line: their place -> the ids of
 * these values.
 */
export async function readFiles(
  pool: pg.Pool,
  tables: ReadonlyMap<string, readonly Place[]>,
): Promise<{ fragments: Fragment[]; outOfLine: Map<string, number[]> }> {
  await pool.query('checkpoint');
  const { rows: relations } = await pool.query<Relation>(RELATIONS);
  const byFile = new Map(relations.map((relation) => [relation.file, relation]));
  const live = new Set([...tables.values()].flatMap((rows) => rows.map(placeOf)));
  // Caches of the catalog come and go.
  const { rows: files } = await pool.query<{ file: string; bytes: Buffer | null }>(
    `select file, pg_read_binary_file(folder || '/' || file, 0, 1000000000, true) as bytes
     from (select 'base/' || oid from pg_database where datname = current_database()) as here (folder),
       pg_ls_dir(folder) as file
     order by file`,
  );
  const fragments: Fragment[] = [];
  const outOfLine = new Map<string, number[]>();
  for (const { file, bytes } of files) {
    const [, node = file, segment = '0'] = /^(\d+)(?:\.(\d+))?$/.exec(file) ?? [];
    const relation = byFile.get(node);
    const first = Number(segment) * (2 ** 30 / PAGE);
    for (let at = 0; bytes && at < bytes.length; at += PAGE) {
      const page = bytes.subarray(at, at + PAGE);
      const number = first + at / PAGE;
      if (relation?.is_table) addRows(relation, page, number);
      else if (page.some((byte) => byte !== 0)) addPage(relation?.name ?? file, page, number);
    }
  }
  return { fragments, outOfLine };

  function addRows(relation: Relation, page: Buffer, number: number) {
    const { name, owner, columns, toast } = relation;
    for (const { at, offset, xmin, xmax, bytes } of rowsOfPage(page, columns)) {
      const ctid = `(${number},${at})`;
      const place = placeOf({ part: name, ctid });
      if (at !== null && live.has(place)) {
        const ids = toast > 0 ? chunkIdsOf(bytes, toast) : [];
        if (ids.length > 0) outOfLine.set(place, ids);
        continue;
      }
      fragments.push({
        table: `files.${owner ? `${owner} out of line` : name}`,
        ctid: `(${number},${offset})`,
        xmin: String(xmin),
        xmax: String(xmax),
        bytes,
        isRow: true,
        times: timesOf(bytes),
        isOfReview: relation.is_of_review,
      });
    }
  }

  function addPage(name: string, bytes: Buffer, number: number) {
    fragments.push({
      table: `files.${name}`,
      ctid: `(${number},0)`,
      xmin: '0',
      xmax: '0',
      bytes,
      isRow: false,
      times: [],
      isOfReview: false,
    });
  }
}
