import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
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

/** The server at DATABASE_URL. The run drops its own databases, one by one. */
function givenServer(url: string) {
  return {
    connection: connectionOf(url),
    prepare: async () => {},
    async leave(admin: pg.Pool, template: string) {
      const { rows } = await admin.query<{ datname: string }>(
        "select datname from pg_database where datname = $1 or datname like 'test\\_%'",
        [template],
      );
      for (const { datname } of rows) {
        await admin.query(`drop database if exists ${datname} with (force)`);
      }
      await admin.end();
    },
  };
}

/** A server for this run alone. Its folder goes at once, because each drop waits for a checkpoint. */
async function ownServer() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'curbside-test-'));
  // A server started by root runs as another user, who needs access.
  await chmod(dataDir, 0o755);
  const { connection, stop } = await startEmbedded({ dataDir });
  return {
    connection: { ...connection },
    async prepare(admin: pg.Pool) {
      // With a thousand databases, it would start a process every 100 ms.
      await admin.query('alter system set autovacuum = off');
      // Test data need not survive a power failure.
      await admin.query('alter system set fsync = off');
      await admin.query('alter system set full_page_writes = off');
      await admin.query('select pg_reload_conf()');
    },
    async leave(admin: pg.Pool) {
      await admin.end();
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Migrates one database that all test files copy. Removes it and its copies at the end. */
export default async function setup(project: TestProject) {
  const url = process.env['DATABASE_URL'];
  const server = url ? givenServer(url) : await ownServer();
  const template = `template_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Pool({ ...server.connection, max: 1 });
  await server.prepare(admin);
  await admin.query(`create database ${template}`);
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
  const tomorrow = "update pgboss.version set cron_on = now() + interval '1 day'";
  await database.background.pool.query(tomorrow);
  await database.close();
  const pooler = process.env['POOLER_URL'] ? connectionOf(process.env['POOLER_URL']) : null;
  // The same setting as the server's.
  const named = process.env['DATABASE_STATEMENTS'] !== 'unnamed';
  project.provide('testServer', { connection: server.connection, pooler, named, template });

  return () => server.leave(admin, template);
}
