import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '#server/db/open.ts';
import { seedBench } from './seed.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../server/db/migrations');

interface Sizes {
  reviews: number;
  employers: number;
}

/**
 * Returns the URL of a database with this many reviews on the server of `serverUrl`. It is filled
 * once and kept for the next run with the same schema.
 */
export async function filledDatabase(
  serverUrl: string,
  { reviews, employers }: Sizes,
  say: (line: string) => void,
): Promise<string> {
  const name = `curbside_bench_${reviews}_${employers}_${schemaVersion()}`;
  const url = urlOf(serverUrl, name);
  if (await exists(serverUrl, name)) return url;
  say(`filling ${name}`);
  // Filled under a temporary name, and renamed once it is complete.
  await using filling = await temporaryDatabase(serverUrl, `${name}_filling`);
  const database = openDatabase({ connectionString: filling.url }, () => {});
  await seedBench(database.background.pool, { reviews, employers, seed: 1 }, say).finally(
    database.close,
  );
  await administer(serverUrl, `alter database ${name}_filling rename to ${name}`);
  return url;
}

/** Creates a database, empty or a copy of `template`, that is dropped when disposed of. */
export async function temporaryDatabase(serverUrl: string, name: string, template = 'template1') {
  const drop = async () => {
    await administer(serverUrl, `drop database if exists ${name} with (force)`);
  };
  await drop();
  await administer(serverUrl, `create database ${name} template ${template}`);
  return { url: urlOf(serverUrl, name), [Symbol.asyncDispose]: drop };
}

/** The server's name and version, from `select version()`. */
export async function versionOf(serverUrl: string): Promise<string> {
  const [row] = await administer<{ version: string }>(serverUrl, 'select version()');
  return row?.version.split(' on ')[0] ?? 'unknown';
}

async function exists(serverUrl: string, name: string): Promise<boolean> {
  const rows = await administer(serverUrl, `select from pg_database where datname = '${name}'`);
  return rows.length > 0;
}

async function administer<T>(serverUrl: string, sql: string): Promise<T[]> {
  const { background, close } = openDatabase({ connectionString: serverUrl }, () => {});
  return background.pool
    .query(sql)
    .then(({ rows }) => rows)
    .finally(close);
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
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
