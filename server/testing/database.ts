import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '#server/db/open.ts';

type Connection = Record<string, string | number | boolean>;

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * How to connect to the test server, directly and through a pooler; whether statements have
     * names; and the migrated database that tests copy.
     */
    testServer: {
      connection: Connection;
      pooler: Connection | null;
      named: boolean;
      template: string;
    };
  }
}

export type TestDatabase = Database & AsyncDisposable;

let admin: pg.Pool | undefined;

/**
 * Creates a database for the caller, a copy of the migrated template. `await using` disconnects from
 * it; the end of the run drops it.
 */
export async function createTestDatabase(watch?: (text: string) => void): Promise<TestDatabase> {
  const { connection, template } = inject('testServer');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Kept for the whole file, because connecting takes as long as half a copy.
  admin ??= new pg.Pool({ ...connection, max: 1, allowExitOnIdle: true, idleTimeoutMillis: 0 });
  await admin.query(`create database ${name} template ${template}`);
  return openTestDatabase(name, watch);
}

/** Opens separate pools on an existing database, like another server. `watch` gets every SQL text. */
export function openTestDatabase(name: string, watch?: (text: string) => void): TestDatabase {
  const { connection, pooler, named } = inject('testServer');
  // Test data need not survive a power failure, so commits do not wait for the disk.
  const settings = { database: name, max: 10, options: '-c synchronous_commit=off' };
  const direct = { ...connection, ...settings };
  const database = openDatabase(pooler ? { ...pooler, ...settings } : direct, () => {}, {
    watch,
    named,
    direct,
  });
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

/** Like `createTestDatabase`, closed when the running test ends. */
export async function testDatabase(): Promise<Database> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}
