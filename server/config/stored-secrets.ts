import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  unwatchFile,
  watchFile,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Secrets } from '#server/anonymity/keys.ts';
import { explain, makePrivate, writePrivate } from '#server/files/data-files.ts';

const bytes = z.codec(z.base64(), z.instanceof(Buffer), {
  decode: (text) => Buffer.from(text, 'base64'),
  encode: (value) => value.toString('base64'),
});
const StoredSecrets = z.object({
  sealing: z.array(z.object({ id: z.string(), key: bytes })).min(1),
  index: z.array(bytes).min(1),
  authorship: z.array(bytes).min(1),
  session: bytes,
});

const WATCH_MS = 500;
/** After this time, every server with the same folder uses changed secrets. */
export const TAKEN_UP_MS = 4 * WATCH_MS;

export const freshKey = () => randomBytes(32);
const fileIn = (dataDir: string) => path.resolve(dataDir, 'secrets.json');

function read(file: string): Secrets {
  const text = readFileSync(file, 'utf8');
  makePrivate(file);
  return StoredSecrets.parse(JSON.parse(text));
}

/**
 * The embedded default's secrets: created once, in `DATA_DIR/secrets.json` (mode 600). Two
 * simultaneous first starts end up with the same file, because a link never replaces one.
 * @throws OperatorError if the folder cannot be used
 */
export function storedSecrets(dataDir: string): Secrets {
  const file = fileIn(dataDir);
  try {
    return readOrCreate(dataDir, file);
  } catch (error) {
    throw explain(error, dataDir);
  }
}

function readOrCreate(dataDir: string, file: string): Secrets {
  try {
    return read(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = writeDraft(file, {
    sealing: [{ id: 'k1', key: freshKey() }],
    index: [freshKey()],
    authorship: [freshKey()],
    session: freshKey(),
  });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(file);
}

/** Replaces the stored secrets atomically. Returns the new ones. */
export function changeStoredSecrets(
  dataDir: string,
  change: (stored: Secrets) => Secrets,
): Secrets {
  const file = fileIn(dataDir);
  const changed = change(read(file));
  renameSync(writeDraft(file, changed), file);
  return changed;
}

/** Calls `onChange` now and after each change. Returns a function that stops it. */
export function watchStoredSecrets(
  dataDir: string,
  onChange: (secrets: Secrets) => void,
): () => void {
  const file = fileIn(dataDir);
  const listener = () => onChange(read(file));
  watchFile(file, { interval: WATCH_MS, persistent: false }, listener);
  // They may have changed while the database was starting.
  listener();
  return () => unwatchFile(file, listener);
}

function writeDraft(file: string, secrets: Secrets): string {
  const draft = `${file}.${process.pid}`;
  const stored = z.encode(StoredSecrets, {
    ...secrets,
    sealing: [...secrets.sealing],
    index: [...secrets.index],
    authorship: [...secrets.authorship],
  });
  writePrivate(draft, JSON.stringify(stored, null, 2));
  return draft;
}
