import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '#server/db/open.ts';
import { type Sizes, seedBench } from './seed.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../server/db/migrations');

/**
 * Returns the URL of a database with this many reviews on this server. It is filled
 * once and kept for the next run with the same schema.
 */
export async function filledDatabase(
  server: string,
  { reviews, employers }: Sizes,
  say: (line: string) => void,
): Promise<string> {
  const name = `curbside_bench_${reviews}_${employers}_${schemaVersion()}`;
  const url = urlOf(server, name);
  if (await exists(server, name)) return url;
  say(`filling ${name}`);
  // Filled under a temporary name, and renamed once it is complete.
  await using filling = await temporaryDatabase(server, `${name}_filling`);
  const database = openDatabase({ connectionString: filling.url }, () => {});
  await seedBench(database.background.pool, { reviews, employers }, say).finally(database.close);
  await administer(server, `alter database ${name}_filling rename to ${name}`);
  return url;
}

/** The server of DATABASE_URL, where databases can be created. */
export function serverUrl(): string {
  const url = process.env['DATABASE_URL'];
  if (url) return url;
  console.error('DATABASE_URL must name a PostgreSQL server where databases can be created');
  process.exit(1);
}

/** Creates a database, empty or a copy of `template`, that is dropped when disposed of. */
export async function temporaryDatabase(server: string, name: string, template = 'template1') {
  const drop = async () => {
    await administer(server, `drop database if exists ${name} with (force)`);
  };
  await drop();
  await administer(server, `create database ${name} template ${template}`);
  return { url: urlOf(server, name), [Symbol.asyncDispose]: drop };
}

/** The server's name and version, from `select version()`. */
export async function versionOf(server: string): Promise<string> {
  const [row] = await administer<{ version: string }>(server, 'select version()');
  return row?.version.split(' on ')[0] ?? 'unknown';
}

async function exists(server: string, name: string): Promise<boolean> {
  const rows = await administer(server, `select from pg_database where datname = '${name}'`);
  return rows.length > 0;
}

async function administer<T>(server: string, sql: string): Promise<T[]> {
  const { background, close } = openDatabase({ connectionString: server }, () => {});
  return background.pool
    .query(sql)
    .then(({ rows }) => rows)
    .finally(close);
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** A hash of all migrations, which are edited in place until the first release. */
function schemaVersion(): string {
  const hash = createHash('sha256');
  for (const file of globSync('*.sql', { cwd: MIGRATIONS }).sort()) {
    hash.update(readFileSync(path.join(MIGRATIONS, file)));
  }
  return hash.digest('hex').slice(0, 8);
}
