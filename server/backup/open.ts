import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { fingerprints, type Secrets } from '#server/anonymity/keys.ts';
import { sqlStateOf } from '#server/db/errors.ts';
import type { Migration } from '#server/db/migrate.ts';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';
import { printable } from '#server/errors/printable.ts';
import { ArchiveError, FORMAT, type Head, readArchive, type Section } from './archive.ts';
import { decryptionWith } from './encryption.ts';

/** A backup or an inventory whose head has been read. */
export interface OpenFile {
  readonly head: Head;
  /**
   * Ends only if the whole file is unmodified. With `key` null, it does not verify that we wrote
   * it.
   */
  sections(key: Buffer | null): AsyncGenerator<Section>;
  close(): void;
}

/** Opens a file with one of the identities. Throws OperatorError. */
export async function openFile(
  file: string,
  kind: Head['kind'],
  identityFile: string,
): Promise<OpenFile> {
  const decrypt = await decryptionWith(identityFile);
  const source = createReadStream(file);
  try {
    const { head, sections } = await readArchive(unpacked(file, source, decrypt));
    if (head.format > FORMAT) throw new OperatorError(`${file} is from a newer program`);
    if (head.kind !== kind) {
      throw new OperatorError(`${file} is not ${NAMES[kind]}, but ${NAMES[head.kind]}`);
    }
    return { head, sections, close: () => source.destroy() };
  } catch (error) {
    source.destroy();
    throw explain(file, error);
  }
}

const NAMES = { backup: 'a backup', inventory: 'an inventory' } as const;

/** Any error from age or zstd means that the file is incomplete, or encrypted to someone else. */
async function* unpacked(
  file: string,
  source: Readable,
  decrypt: (source: Readable) => Promise<Readable>,
): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(await decrypt(source), createZstdDecompress(), () => {});
  } catch (error) {
    const explained = explainFileError(file, error);
    if (explained instanceof OperatorError) throw explained;
    const { message } = error as Error;
    // Without the key, age cannot tell which.
    if (message.includes('no identity matched')) {
      throw new OperatorError(
        `${file} is for another identity, or its header was modified: use the identity of its` +
          ' recipient, or another file',
      );
    }
    throw new ArchiveError(message);
  }
}

/** PostgreSQL's classes data_exception and integrity_constraint_violation. */
const BAD_ROW = /^2[23]\w{3}$/;

/** Turns an error from restoring the file into one line; returns other errors unchanged. */
export function explain(file: string, error: unknown): unknown {
  if (error instanceof ArchiveError) {
    const message = printable(error.message);
    return new OperatorError(`${file} is incomplete or was modified (${message}): use another`);
  }
  if (BAD_ROW.test(sqlStateOf(error) ?? '')) {
    const { code, constraint = '' } = error as pg.DatabaseError;
    // PostgreSQL's message may quote the row.
    const reason = `PostgreSQL rejects a row: ${code} ${constraint}`.trim();
    return new OperatorError(`${file} is incomplete or was modified (${reason}): use another`);
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new OperatorError('stopped: nothing was restored');
  }
  return error;
}

const SINGLE = 'SESSION_KEY';

/** Throws OperatorError unless this program can read the rows and has the keys that wrote them. */
export function checkHead(
  file: string,
  { migrations, keys }: Head,
  known: readonly Migration[],
  secrets: Secrets | null,
): void {
  for (const [at, { name, checksum }] of migrations.entries()) {
    const ours = known[at];
    if (ours?.name !== name) {
      throw new OperatorError(`${file} is from a newer program: it has ${printable(name)}`);
    }
    if (ours.checksum !== checksum) {
      throw new OperatorError(
        `${file} has a different ${printable(name)} than this program: use the program version that wrote it`,
      );
    }
  }
  if (!secrets) return;
  const here = fingerprints(secrets);
  const missing = Object.keys(keys).filter((name) =>
    keys[name]?.some((print) => !here[name]?.includes(print)),
  );
  if (missing.length === 0) return;
  const adds = missing.some((name) => name !== SINGLE)
    ? ['add the keys it was written with after the current ones']
    : [];
  // This setting accepts only one key.
  const sets = missing.includes(SINGLE) ? [`set ${SINGLE} to the one it was written with`] : [];
  throw new OperatorError(
    `${missing.join(', ')} ${missing.length > 1 ? 'lack keys' : 'lacks a key'} of ${file}:` +
      ` ${[...adds, ...sets].join(', and ')} (or, if they are lost, use --other-keys)`,
  );
}
