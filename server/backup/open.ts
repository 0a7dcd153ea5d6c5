import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { fingerprints, type Secrets } from '#server/anonymity/keys.ts';
import type { Migration } from '#server/db/migrate.ts';
import { explainFileError, OperatorError } from '#server/operator-error.ts';
import { ArchiveError, FORMAT, type Head, readArchive, type Section } from './archive.ts';
import { decrypted } from './encryption.ts';

/** A backup or an inventory whose head has been read. */
export interface OpenFile {
  readonly head: Head;
  /** Ends only if the whole file is as it was written; `key` null skips that it was ours. */
  sections(key: Buffer | null): AsyncGenerator<Section>;
  close(): void;
}

/** Opens a file with one of the identities. Throws OperatorError. */
export async function openFile(
  file: string,
  kind: Head['kind'],
  identityFile: string,
): Promise<OpenFile> {
  const source = createReadStream(file);
  try {
    const packed = await decrypted(source, identityFile);
    const plain: Readable = pipeline(packed, createZstdDecompress(), () => {});
    const { head, sections } = await readArchive(plain);
    if (head.format > FORMAT) throw new OperatorError(`${file} is from a newer program`);
    if (head.kind !== kind)
      throw new OperatorError(`${file} is not ${A[kind]}, but ${A[head.kind]}`);
    return { head, sections, close: () => source.destroy() };
  } catch (error) {
    source.destroy();
    throw explain(file, error);
  }
}

const A = { backup: 'a backup', inventory: 'an inventory' } as const;

/** Errors of age (its header, and each of its chunks) and of zstd. */
const NOT_WHOLE =
  /unexpected EOF|invalid|malformed|truncated|HMAC|MAC|chunk|frame|ZSTD|end of|stream|tag/i;

/** Turns what reading the file may throw into one line; returns other errors unchanged. */
export function explain(file: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error;
  if (error.name === 'AbortError') return new OperatorError('stopped: nothing was restored');
  if (/no identity matched/.test(error.message)) {
    return new OperatorError(`${file} is for another identity: use the one of its recipient`);
  }
  const explained = explainFileError(file, error);
  if (explained instanceof OperatorError) return explained;
  const isPostgres = 'severity' in error;
  if (error instanceof ArchiveError || (!isPostgres && NOT_WHOLE.test(error.message))) {
    return new OperatorError(
      `${file} is not whole, or was changed (${error.message}): use another`,
    );
  }
  return error;
}

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
      throw new OperatorError(`${file} is from a newer program: it has ${name}`);
    }
    if (ours.checksum !== checksum) {
      throw new OperatorError(
        `${file} has another ${name} than this program: use the program of its time`,
      );
    }
  }
  if (!secrets) return;
  const here: Readonly<Record<string, readonly string[]>> = fingerprints(secrets);
  const missing = Object.keys(keys).filter((name) =>
    keys[name]?.some((print) => !here[name]?.includes(print)),
  );
  if (missing.length > 0) {
    throw new OperatorError(
      `${missing.join(', ')} ${missing.length > 1 ? 'lack keys' : 'lacks a key'} of ${file}: add` +
        ' the keys of its time after the current ones (or, if they are lost, use --other-keys)',
    );
  }
}
