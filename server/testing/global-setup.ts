import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { startJobs } from '#server/jobs/queue.ts';

function connectionOf(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: decodeURIComponent(hostname),
    port: Number(port || 5432),
    user: username,
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  };
}

/** Finds the tests' PostgreSQL: the server at DATABASE_URL, or one started for this run. */
async function startServer() {
  const url = process.env['DATABASE_URL'];
  if (url) {
    return { connection: connectionOf(url), stop: async () => {} };
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'curbside-test-'));
  // A server started by root runs as another user, who needs access.
  await chmod(dataDir, 0o755);
  const embedded = await startEmbedded({ dataDir });
  return {
    connection: embedded.connection,
    async stop() {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Migrates one database that all test files copy. Drops it and its copies at the end. */
export default async function setup(project: TestProject) {
  const server = await startServer();
  const template = `template_${randomBytes(6).toString('hex')}`;
  const admin = openDatabase({ ...server.connection, max: 1 }, () => {});
  await admin.background.pool.query(`create database ${template}`);
  const database = openDatabase({ ...server.connection, database: template, max: 4 }, () => {});
  await migrate(database.background.pool);
  // The job queue creates its own tables. Do it once here, not in every copy.
  const keys = { sealing: [{ id: 'none', key: randomBytes(32) }] };
  const jobs = await startJobs({
    database: database.background,
    keys,
    log: { warn() {}, error() {} },
  });
  await jobs.stop();
  // Otherwise jobs that come due during the tests (for example, at 17 past) would run in each copy.
  await database.background.pool.query(
    "update pgboss.version set cron_on = now() + interval '1 day'",
  );
  await database.close();
  const pooler = process.env['POOLER_URL'] ? connectionOf(process.env['POOLER_URL']) : null;
  // The same setting as the server's.
  const named = process.env['DATABASE_STATEMENTS'] !== 'unnamed';
  project.provide('testServer', { connection: server.connection, pooler, named, template });

  return async () => {
    const { rows } = await admin.background.pool.query<{ datname: string }>(
      "select datname from pg_database where datname = $1 or datname like 'test\\_%'",
      [template],
    );
    for (const { datname } of rows) {
      await admin.background.pool.query(`drop database if exists ${datname} with (force)`);
    }
    await admin.close();
    await server.stop();
  };
}
