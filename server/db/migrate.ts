import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { OperatorError } from '#server/operator-error.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');
/** Any number: all nodes that migrate at once take the same lock. */
const LOCK = 7_346_214;

/**
 * Brings the schema up to date, each migration in a transaction of its own, one node at a time.
 * Refuses to run when a migration that was applied has been changed or is missing since.
 * Returns the names of those applied now.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null)',
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const migrations = await readMigrations();
    checkHistory(applied, migrations);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    client.release();
  }
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(FOLDER, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function checkHistory(applied: Map<string, string>, migrations: Migration[]) {
  for (const [name, checksum] of applied) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!migration) throw new OperatorError(`database is newer than this program: it has ${name}`);
    if (migration.checksum !== checksum) {
      throw new OperatorError(`migration ${name} has been changed since it was applied`);
    }
  }
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration) {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
