import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ifPresent } from './error.ts';
import { processIdentity } from './processes.ts';
import { PORT } from './settings.ts';

/** The content of `postmaster.pid`, written by a running server (PostgreSQL's `pidfile.h`). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly socketFolder: string;
}

export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  const text = ifPresent(() => readFileSync(pathIn(cluster), 'utf8'));
  if (text === undefined) return undefined;
  const [pid, , , port, socketFolder = ''] = text.split('\n');
  return { pid: Number(pid), port: Number(port), socketFolder };
}

/**
 * Prepares for a new server if the one that wrote the file is gone. PostgreSQL ignores a dead
 * process, but not another program of its user that has reused the id. The file must not be
 * deleted, because it names the shared memory by which PostgreSQL detects survivors of the old
 * server. PostgreSQL also ignores its own parent, so this writes the parent's id into the file.
 */
export function disownPostmasterFile(cluster: string, socketFolder: string): void {
  const file = readPostmasterFile(cluster);
  if (file !== undefined && processIdentity(file.pid) !== undefined) {
    const lines = readFileSync(pathIn(cluster), 'utf8').split('\n');
    overwrite(pathIn(cluster), [process.pid, ...lines.slice(1)].join('\n'));
  }
  // This lock has no purpose here, because the socket's folder is private to the cluster.
  rmSync(join(socketFolder, `.s.PGSQL.${PORT}.lock`), { force: true });
}

/** Does not follow symbolic links, because we may be root in an unprivileged user's folder. */
function overwrite(path: string, content: string): void {
  const { O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_TRUNC | O_NOFOLLOW);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
