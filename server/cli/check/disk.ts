import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#server/config.ts';
import { type Finding, reporter } from './result.ts';

const MB = 1024 * 1024;
/** The embedded database alone needs 100 MB to start. */
const FAIL_MB = 200;
const WARN_MB = 1024;

export async function* checkDisk({ dataDir }: Pick<Config, 'dataDir'>): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('disk');
  const { bavail, bsize } = await statfs(existingPart(path.resolve(dataDir)));
  const free = Math.floor((bavail * bsize) / MB);
  const says = `${free} MB free for DATA_DIR`;
  if (free < FAIL_MB) yield fail(`${says}: free at least ${WARN_MB} MB`);
  else if (free < WARN_MB) yield warn(`${says}: free at least ${WARN_MB} MB`);
  else yield ok(says);
}

/** A production server may not have written to it yet. */
function existingPart(folder: string): string {
  return existsSync(folder) ? folder : existingPart(path.dirname(folder));
}
