import type pg from 'pg';

/** Every value in every table, including the job queue's. Bytes are read as latin1. */
export async function readEverything(pool: pg.Pool, only?: string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  );
  const read = tables
    .filter(({ name }) => !only || only.includes(name))
    .map(({ schema, name }) => `select * from "${schema}"."${name}"`);
  // One round trip: PostgreSQL answers several statements with several results.
  const results: unknown = await pool.query(read.join(';'));
  return [results]
    .flat()
    .flatMap((result) => (result as pg.QueryResult).rows)
    .flatMap((row) => Object.values(row).map(readable));
}

/** A value of a row as text. */
export function readable(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The markers that occur in the texts, in plain text or in a common encoding. */
export function findTraces(texts: readonly string[], markers: readonly string[]): string[] {
  const all = texts.join('\n');
  const lower = all.toLowerCase();
  return markers.filter((marker) => {
    // A short number may be part of a longer one by chance.
    if (/^\d{1,10}$/.test(marker)) return new RegExp(`(?<![\\w.])${marker}(?![\\w.])`).test(all);
    return encodings(marker).some((text) => lower.includes(text.toLowerCase()));
  });
}

function encodings(marker: string): string[] {
  const bytes = Buffer.from(marker);
  return [
    marker,
    encodeURIComponent(marker),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}
