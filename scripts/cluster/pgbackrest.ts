import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { referencesOf } from '../docs/markdown.ts';
import { asOwner, type Cluster, newFolder } from './postgres.ts';

const POLL_MS = 100;

/** A repository of pgBackRest for one cluster. */
export interface Repository extends AsyncDisposable {
  /** Settings for postgresql.conf. */
  readonly settings: string;
  /** Makes a cluster archive its log here. */
  open(cluster: Cluster): Promise<void>;
  /** Makes a full backup. */
  backUp(): void;
  /** Restores the data folder of a stopped cluster, and starts it. Waits until it takes writes. */
  restore(cluster: Cluster): Promise<void>;
}

/** Follows docs/backups.md, in its own folders. */
export async function openRepository(): Promise<Repository> {
  const folder = await newFolder('repository');
  const file = path.join(folder, 'pgbackrest.conf');
  const pgBackRest = (...given: string[]) =>
    asOwner('pgbackrest', `--config=${file}`, '--stanza=main', ...given);
  return {
    settings: recipe('postgresql.conf').replace('pgbackrest ', `pgbackrest --config=${file} `),
    async open(cluster) {
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
    // Does not wait for the next checkpoint.
    backUp: () => void pgBackRest('--type=full', '--start-fast', 'backup'),
    async restore(cluster) {
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
