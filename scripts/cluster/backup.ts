import { rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, newClinic, openWriters, postReview, type Writer } from './members.ts';
import { openRepository, type Repository } from './pgbackrest.ts';
import { type Cluster, newFolder, startPrimary } from './postgres.ts';
import { curbside, newSite, type Server, startServer } from './server.ts';
import { duration, type Row, row, secondsSince } from './table.ts';

const WRITERS = 8;
/** Numbers of reviews. */
const [BEFORE, DELETED, AFTER] = [200, 40, 40];
const LONGEST_S = 60;
const POLL_MS = 100;

/**
 * The restore drill of docs/backups.md: members write during a backup, and delete reviews
 * afterward. The database is dropped and restored. Then the whole data folder is lost, and
 * pgBackRest restores it.
 */
export async function backup(port: number): Promise<Row[]> {
  await using repository = await openRepository();
  await using primary = await startPrimary(port, repository.settings);
  await repository.open(primary);
  primary.psql('create database curbside');
  await using vault = await openVault(newSite(primary.url()));
  const { site } = vault;
  await using server = await startServer(site);
  const writers = await openWriters(site, WRITERS);
  const before = await write(server, writers, BEFORE);
  await Promise.all([vault.backUp(), write(server, writers, AFTER)]);
  const after = await write(server, writers, AFTER);
  const deleted = before.slice(0, DELETED);
  const kept = before.slice(DELETED);
  for (const { id, writer } of deleted) await call(server, 'DELETE', `/reviews/${id}/`, writer);
  await vault.takeInventory();
  await server[Symbol.asyncDispose]();

  const began = performance.now();
  primary.psql('drop database curbside');
  primary.psql('create database curbside');
  await vault.restore();
  await using restored = await startServer(site);
  const took = secondsSince(began);
  const [lost, gone, late] = [
    await missing(restored, kept),
    await missing(restored, deleted),
    await missing(restored, after),
  ];
  return [
    row(`reviews lost in a restore, of ${kept.length} from before the backup`, lost, 0),
    row(`deleted reviews that came back, of ${DELETED}`, DELETED - gone, 0),
    row(`reviews lost, of ${after.length} from after the backup`, late, after.length),
    duration('time until a server answers from the restored database', took, LONGEST_S),
    ...(await recoverFromLog(primary, repository, restored, site)),
  ];
}

/** Loses all files of a primary. Anything written since its backup is only in the archived log. */
async function recoverFromLog(
  primary: Cluster,
  repository: Repository,
  server: Server,
  site: Record<string, string>,
): Promise<Row[]> {
  repository.backUp();
  const written = await write(server, await openWriters(site, WRITERS), AFTER);
  await archived(primary);
  primary.stop();
  rmSync(`${primary.folder}/data`, { recursive: true });
  const began = performance.now();
  await repository.restore(primary);
  const took = secondsSince(began);
  const stored = new Set(primary.psql('select id from reviews', 'curbside').split('\n'));
  const lost = written.filter(({ id }) => !stored.has(id)).length;
  return [
    row(`reviews lost with pgBackRest, of ${written.length} from after its backup`, lost, 0),
    duration('time until PostgreSQL accepts writes again', took, LONGEST_S),
  ];
}

/** Archives the log now, as `archive_timeout` would after a minute. */
async function archived(primary: Cluster): Promise<void> {
  const file = primary.psql('select pg_walfile_name(pg_switch_wal())');
  const isDone = `select last_archived_wal >= '${file}' from pg_stat_archiver`;
  while (primary.psql(isDone) !== 't') await pause(POLL_MS);
}

/** A folder with a key pair, and the commands from docs/backups.md. */
async function openVault(settings: Record<string, string>) {
  const folder = await newFolder('vault');
  const [identity, backup, inventory] = ['identity', 'backup', 'inventory'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  const key = await curbside(settings, 'backup-key');
  await writeFile(identity, key, { mode: 0o600 });
  const recipient = /# recipient: (\S+)/.exec(key)?.[1] ?? '';
  const site = { ...settings, DATA_DIR: folder, BACKUP_RECIPIENT: recipient };
  return {
    /** The settings of a site that is backed up to the vault. */
    site,
    backUp: () => curbside(site, 'backup', backup),
    takeInventory: () => curbside(site, 'inventory', inventory),
    // The test deletes a large share of its few reviews.
    restore: () => {
      const files = [backup, '--identity', identity, '--inventory', inventory];
      return curbside(site, 'restore', ...files, '--accept-deletions');
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

interface Written {
  readonly id: string;
  readonly writer: Writer;
}

/** Posts reviews, each writer one after another. */
async function write(server: Server, writers: readonly Writer[], reviews: number) {
  const written: Written[] = [];
  const post = async (writer: Writer) => {
    for (let n = 0; n < reviews / writers.length; n += 1) {
      const { status, body } = await postReview(server, writer, newClinic());
      if (status !== 201)
        throw new Error(`posting a review returned ${status}: ${JSON.stringify(body)}`);
      written.push({ id: String(body['id']), writer });
    }
  };
  await Promise.all(writers.map(post));
  return written;
}

async function missing({ url }: Server, reviews: readonly Written[]): Promise<number> {
  let found = 0;
  for (const { id } of reviews) found += Number((await fetch(`${url}/api/reviews/${id}/`)).ok);
  return reviews.length - found;
}
