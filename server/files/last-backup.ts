import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { OperatorError } from '#server/errors/operator-error.ts';
import { writeWholeFile } from './data-files.ts';

const LastBackup = z.object({ finished_at: z.iso.datetime({ offset: true }) });
/** Also its contents, to detect a different database or lost rows. */
const LastInventory = LastBackup.extend({
  lineage: z.uuid(),
  accounts: z.int(),
  reviews: z.int(),
});
export type LastInventory = z.infer<typeof LastInventory>;

const SCHEMAS = { backup: LastBackup, inventory: LastInventory };
type Kind = keyof typeof SCHEMAS;
type Last<K extends Kind> = z.infer<(typeof SCHEMAS)[K]>;

const fileOf = (dataDir: string, kind: Kind) => path.resolve(dataDir, `last-${kind}.json`);

export async function recordLast<K extends Kind>(dataDir: string, kind: K, last: Last<K>) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await writeWholeFile(fileOf(dataDir, kind), [Buffer.from(`${JSON.stringify(last)}\n`)]);
}

/**
 * What the last backup or inventory wrote to `DATA_DIR/last-backup.json` or `last-inventory.json`.
 * Null if there is no such file.
 * @throws OperatorError if it cannot be read
 */
export async function readLast<K extends Kind>(dataDir: string, kind: K): Promise<Last<K> | null> {
  const file = fileOf(dataDir, kind);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`cannot read ${file}`);
  }
  try {
    return SCHEMAS[kind].parse(JSON.parse(text)) as Last<K>;
  } catch {
    throw new OperatorError(`${file} does not say when the last ${kind} finished`);
  }
}

/** Milliseconds since the last one finished, or null if there is none. */
export async function ageOfLast(dataDir: string, kind: Kind, now: number): Promise<number | null> {
  const last = await readLast(dataDir, kind);
  return last && now - Date.parse(last.finished_at);
}
