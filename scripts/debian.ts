import { spawnSync } from 'node:child_process';

/** Installs Debian packages, if this is root. The caller finds out whether it worked. */
export function installPackages(...names: readonly string[]): void {
  if (names.length === 0 || process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '-qq', ...names], { stdio: 'ignore', env });
}
