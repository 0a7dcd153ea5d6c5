import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const OURS = path.resolve(import.meta.dirname, '../db/migrations');

/** The migrations of a newer release: ours and `files`. Returns their folder. */
export async function newerMigrations(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(OURS, folder, { recursive: true });
  for (const [name, sql] of Object.entries(files)) await writeFile(path.join(folder, name), sql);
  return folder;
}
