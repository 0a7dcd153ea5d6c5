import { expect, test } from 'vitest';
import { testDatabase } from './testing/database.ts';
import { printed, spawnServer, terminate } from './testing/server-process.ts';

test('a server that waits for its database stops immediately', async () => {
  const { db } = await testDatabase();
  const away = 'postgres://nobody@127.0.0.1:1/away';
  const child = await spawnServer(db, { DATABASE_URL: away, LOG_LEVEL: 'warn' });
  await printed(child, /(waiting for the database)/);
  expect(await terminate(child)).toBe(0);
});
