import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { createTopicTriggers, TOPICS_CHECKSUM } from '#server/cache/topics.ts';
import { OperatorError } from '#server/operator-error.ts';
import { holdingLock, LOCKS } from './advisory-lock.ts';
import { onClient } from './transaction.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');

/** Created again whenever the schema or the topics change. */
export const TRIGGERS = 'topic triggers';

/**
 * Applies pending migrations, each in its own transaction. Throws OperatorError if an applied
 * migration has been changed or removed. Returns the names of the new ones.
 */
export const migrate = (pool: pg.Pool): Promise<string[]> =>
  holdingLock(pool, LOCKS.start, migrateOn);

async function migrateOn(client: pg.PoolClient): Promise<string[]> {
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
  for (const { name, sql, checksum } of pending) {
    await apply(client, { name, checksum, run: () => client.query(sql) });
  }
  if (pending.length > 0 || applied.get(TRIGGERS) !== TOPICS_CHECKSUM) {
    const run = () => createTopicTriggers(client);
    await apply(client, { name: TRIGGERS, checksum: TOPICS_CHECKSUM, run });
  }
  return pending.map(({ name }) => name);
}

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** The migrations of this program, in order. */
export async function readMigrations(): Promise<Migration[]> {
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
    if (name === TRIGGERS) continue;
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!migration)
      throw new OperatorError(`the database is newer than this program: it has ${name}`);
    if (migration.checksum !== checksum) {
      throw new OperatorError(`migration ${name} has been changed since it was applied`);
    }
  }
}

interface Step {
  name: string;
  checksum: string;
  run: () => Promise<unknown>;
}

async function apply(client: pg.PoolClient, { name, checksum, run }: Step) {
  await onClient(client, async () => {
    await run();
    await client.query(
      `insert into migrations (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum`,
      [name, checksum],
    );
  });
}
