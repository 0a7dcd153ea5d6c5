import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startJobs } from '#server/jobs/queue.ts';
import { createTestDatabase, openTestDatabase } from '#server/testing/database.ts';
import { migrate } from './migrate.ts';

// Each opens up to eight connections, and PostgreSQL allows 100, of which other tests use some.
const SERVERS = 5;

test('five servers that start at the same time on an empty database all start', async () => {
  await using admin = await createTestDatabase();
  const name = `test_empty_${randomBytes(4).toString('hex')}`;
  await admin.pool.query(`create database ${name} template template0`);
  await using stack = new AsyncDisposableStack();
  const keys = { sealing: [{ id: 'none', key: randomBytes(32) }] };
  const start = async () => {
    const { background } = stack.use(openTestDatabase(name));
    const made = await migrate(background.pool);
    const jobs = await startJobs({ database: background, keys, log: { warn() {}, error() {} } });
    stack.defer(() => jobs.stop());
    return made.length;
  };
  const made = await Promise.all(Array.from({ length: SERVERS }, start));
  expect(made.filter((migrations) => migrations > 0)).toHaveLength(1);
});
