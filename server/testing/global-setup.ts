import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { startJobs } from '#server/jobs/queue.ts';

/** Where the tests' PostgreSQL is: DATABASE_URL's server, or one started for this run. */
async function startServer() {
  const url = process.env['DATABASE_URL'];
  if (url) {
    const { hostname, port, username, password, pathname } = new URL(url);
    const connection = {
      host: decodeURIComponent(hostname),
      port: Number(port || 5432),
      user: username,
      password: decodeURIComponent(password),
      database: pathname.slice(1),
    };
    return { connection, stop: async () => {} };
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'curbside-test-'));
  // Started by root, the server runs as another user, who must get in.
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

/** Migrates one database for all test files to copy; drops it and its copies in the end. */
export default async function setup(project: TestProject) {
  const server = await startServer();
  const template = `template_${randomBytes(6).toString('hex')}`;
  const admin = openDatabase({ ...server.connection, max: 1 }, () => {});
  await admin.background.pool.query(`create database ${template}`);
  const database = openDatabase({ ...server.connection, database: template, max: 4 }, () => {});
  await migrate(database.background.pool);
  // The job queue makes its own tables: once here, not in every copy.
  const keys = { sealing: [{ id: 'none', key: randomBytes(32) }] };
  const jobs = await startJobs({
    database: database.background,
    keys,
    log: { warn() {}, error() {} },
  });
  await jobs.stop();
  // Else what came due while the tests run (at 17 past, say) would be sent in each copy.
  await database.background.pool.query(
    "update pgboss.version set cron_on = now() + interval '1 day'",
  );
  await database.close();
  project.provide('testServer', { connection: server.connection, template });

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
