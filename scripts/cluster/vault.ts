import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from './postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Vault extends AsyncDisposable {
  /** The settings of a site that is backed up to the vault. */
  readonly site: Record<string, string>;
  backUp(): Promise<unknown>;
  takeInventory(): Promise<unknown>;
  restore(): Promise<unknown>;
}

/** A folder with a key pair, and the commands from docs/backups.md. */
export async function openVault(settings: Record<string, string>): Promise<Vault> {
  const folder = await newFolder('vault');
  const curbside = async (env: Record<string, string>, ...args: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['server/cli/main.ts', ...args],
      { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } },
    );
    return stdout;
  };
  const [identity = '', backup = '', inventory = ''] = ['identity', 'backup', 'inventory'].map(
    (name) => path.join(folder, name),
  );
  const key = await curbside(settings, 'backup-key');
  await writeFile(identity, key, { mode: 0o600 });
  const recipient = /# recipient: (\S+)/.exec(key)?.[1] ?? '';
  const site = { ...settings, DATA_DIR: folder, BACKUP_RECIPIENT: recipient };
  return {
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
