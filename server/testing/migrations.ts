import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newFolder } from './folder.ts';

const OURS = path.resolve(import.meta.dirname, '../db/migrations');

/** The migrations of a newer release: ours and `files`. Returns their folder. */
export async function newerMigrations(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = newFolder();
  await cp(OURS, folder, { recursive: true });
  for (const [name, sql] of Object.entries(files)) await writeFile(path.join(folder, name), sql);
  return folder;
}
