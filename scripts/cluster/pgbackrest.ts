import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { referencesOf } from '../docs/markdown.ts';
import { asOwner, type Cluster, newFolder } from './postgres.ts';

const POLL_MS = 100;

export type Repository = Awaited<ReturnType<typeof openRepository>>;

/** A repository of pgBackRest for one cluster. Follows docs/backups.md, in its own folders. */
export async function openRepository() {
  const folder = await newFolder('repository');
  const file = path.join(folder, 'pgbackrest.conf');
  const pgBackRest = (...given: string[]) =>
    asOwner('pgbackrest', `--config=${file}`, '--stanza=main', ...given);
  return {
    /** Settings for postgresql.conf. */
    settings: recipe('postgresql.conf').replace('pgbackrest ', `pgbackrest --config=${file} `),
    /** Makes a cluster archive its log here. */
    async open(cluster: Cluster) {
      const elsewhere = ['log', 'spool', 'lock'].map((name) => `${name}-path=${folder}/${name}`);
      const place = [
        `pg1-path=${cluster.folder}/data`,
        `pg1-port=${cluster.port}`,
        `pg1-socket-path=${cluster.folder}`,
      ];
      const text = recipe('/etc/pgbackrest/pgbackrest.conf')
        .replace(/^repo1-path=.*$/m, [`repo1-path=${folder}/repository`, ...elsewhere].join('\n'))
        .replace(/^pg1-path=.*$/m, place.join('\n'));
      await writeFile(file, text);
      pgBackRest('stanza-create');
      pgBackRest('check');
    },
    /** Makes a full backup, without waiting for the next checkpoint. */
    backUp: () => void pgBackRest('--type=full', '--start-fast', 'backup'),
    /** Restores the data folder of a stopped cluster, and starts it. Waits until it takes writes. */
    async restore(cluster: Cluster) {
      asOwner('mkdir', '-m', '700', `${cluster.folder}/data`);
      pgBackRest('restore');
      cluster.start();
      while (cluster.psql('select pg_is_in_recovery()') === 't') await pause(POLL_MS);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The block for a file in docs/backups.md. Its first line names the file. */
function recipe(file: string): string {
  const found = referencesOf('docs/backups.md').blocks.find((block) =>
    block.startsWith(`# ${file}\n`),
  );
  if (!found) throw new Error(`docs/backups.md has no block for ${file}`);
  return found;
}
