import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#server/config/config.ts';
import { type Finding, reporter } from './result.ts';
import { listed, type Machine } from './settings.ts';

const MB = 1024 * 1024;
/** The embedded database alone needs 100 MB to start. */
const FAIL_MB = 200;
const WARN_MB = 1024;

/** DATA_DIR, and on a server of its own also the backups and the database. */
export async function* checkDisk(
  { SERVICE_FOLDERS }: Machine,
  { dataDir }: Pick<Config, 'dataDir'>,
): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('disk');
  const folders = new Map([['DATA_DIR', existingPart(path.resolve(dataDir))]]);
  for (const folder of listed(SERVICE_FOLDERS)) folders.set(folder, folder);
  for (const [name, folder] of folders) {
    const disk = await statfs(folder).catch(() => null);
    if (!disk) {
      yield fail(`${name} cannot be read`);
      continue;
    }
    const { bavail, bsize } = disk;
    const free = Math.floor((bavail * bsize) / MB);
    const says = `${free} MB free for ${name}`;
    if (free < FAIL_MB) yield fail(`${says}: free at least ${WARN_MB} MB`);
    else if (free < WARN_MB) yield warn(`${says}: free at least ${WARN_MB} MB`);
    else yield ok(says);
  }
}

/** A production server may not have written to it yet. */
function existingPart(folder: string): string {
  return existsSync(folder) ? folder : existingPart(path.dirname(folder));
}
