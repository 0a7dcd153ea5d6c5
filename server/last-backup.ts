import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { OperatorError } from './operator-error.ts';

const LastBackup = z.object({ finished_at: z.iso.datetime({ offset: true }) });

/**
 * When the last backup finished, from `DATA_DIR/last-backup.json`, which the backup wrote. Null if
 * there is no such file.
 * @throws OperatorError if it cannot be read
 */
export async function lastBackup(dataDir: string): Promise<Date | null> {
  const file = path.resolve(dataDir, 'last-backup.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`cannot read ${file}`);
  }
  try {
    return new Date(LastBackup.parse(JSON.parse(text)).finished_at);
  } catch {
    throw new OperatorError(`${file} does not say when the last backup finished`);
  }
}
