import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '#server/db/open.ts';

type Connection = Record<string, string | number>;

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

/**
 * Creates a database for the caller, a copy of the migrated template, in about 20 ms. `await using`
 * drops it. So does the end of the test, if it is created in one.
 */
export async function createTestDatabase(watch?: (text: string) => void): Promise<TestDatabase> {
  const { connection, template } = inject('testServer');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = openDatabase({ ...connection, max: 1 }, () => {});
  try {
    await admin.background.pool.query(`create database ${name} template ${template}`);
  } finally {
    await admin.close();
  }
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
