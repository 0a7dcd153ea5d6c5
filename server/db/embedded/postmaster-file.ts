import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './error.ts';
import { processIdentity } from './processes.ts';
import { PORT } from './settings.ts';

/** What a running server says about itself in `postmaster.pid`: PostgreSQL's `pidfile.h`. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly socketFolder: string;
}

export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  try {
    const [pid, , , port, socketFolder = ''] = readFileSync(pathIn(cluster), 'utf8').split('\n');
    return { pid: Number(pid), port: Number(port), socketFolder };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Clears the way for a new server, when the one that wrote the file is gone. PostgreSQL passes over
 * a dead process, but not over another program of its user that has the id now. The file is not
 * deleted: it also names the shared memory by which PostgreSQL knows a survivor of the old server.
 * It passes over its own parent, too, so that is what the file is made to say.
 */
export function disownPostmasterFile(cluster: string, socketFolder: string): void {
  const file = readPostmasterFile(cluster);
  if (file !== undefined && processIdentity(file.pid) !== undefined) {
    const lines = readFileSync(pathIn(cluster), 'utf8').split('\n');
    overwrite(pathIn(cluster), [process.pid, ...lines.slice(1)].join('\n'));
  }
  // This one protects nothing more: the socket's folder is private to the cluster.
  rmSync(join(socketFolder, `.s.PGSQL.${PORT}.lock`), { force: true });
}

/** We may be root in a folder of an unprivileged user, so a symbolic link is not followed. */
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
