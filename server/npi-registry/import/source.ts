import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';
import { openZipEntry, type ZipEntry } from './zip.ts';

/** A file to import: a CSV file, or a zip with one. */
export interface Source {
  /** The name of the CSV file, from which CMS's dates are read. */
  readonly name: string;
  /** Unpacked size. */
  readonly bytes: number;
  read(): AsyncIterable<Buffer>;
  /** Whether the file is still the one that was opened. */
  isUnchanged(): Promise<boolean>;
  close(): void;
}

/** Excludes the `…_fileheader.csv` next to it. */
export const PFILE = /^npidata_pfile_\d+-\d+\.csv$/i;
const HEAD_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** A zip begins with a file or with its end record (APPNOTE.TXT, 4.3.7 and 4.3.16). */
const ZIP_SIGNATURES: ReadonlySet<number> = new Set([0x504b0304, 0x504b0506]);

/** Opens a file for `work`, and closes it when done. @throws OperatorError */
export async function withSource<T>(
  path: string,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const source = await openSource(path);
  try {
    return await work(source);
  } finally {
    source.close();
  }
}

async function openSource(path: string): Promise<Source> {
  if (/\.xlsx$/i.test(path)) {
    throw new OperatorError(`${path} is a workbook: save its sheet as CSV and import that`);
  }
  try {
    const { fingerprint, bytes, isZip } = await identify(path);
    const source = isZip ? zipSource(await openZipEntry(path, PFILE)) : csvSource(path, bytes);
    const isUnchanged = async () => (await identify(path)).fingerprint === fingerprint;
    return { ...source, isUnchanged };
  } catch (error) {
    throw explainFileError(path, error);
  }
}

function csvSource(path: string, bytes: number): Omit<Source, 'isUnchanged'> {
  return {
    name: nodePath.basename(path),
    bytes,
    read: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    close: () => {},
  };
}

function zipSource(entry: ZipEntry): Omit<Source, 'isUnchanged'> {
  return {
    name: entry.name.split('/').at(-1) ?? '',
    bytes: entry.bytes,
    read: () => entry.read(),
    close: () => entry.close(),
  };
}

/** From the name, size, modification time, and a hash of the file's beginning and end. */
async function identify(path: string) {
  const kind = await stat(path);
  if (kind.isDirectory()) throw new OperatorError(`${path} is a folder, not a file`);
  if (!kind.isFile()) throw new OperatorError(`${path} is not a file`);
  const { size, mtimeMs } = kind;
  const file = await open(path);
  const [head, tail] = await Promise.all([
    readAt(file, 0),
    readAt(file, Math.max(0, size - HEAD_BYTES)),
  ]).finally(() => file.close());
  const hash = createHash('sha256').update(head).update(tail);
  const name = nodePath.basename(path);
  return {
    fingerprint: hash.update(JSON.stringify([name, size, mtimeMs])).digest('hex'),
    bytes: size,
    isZip: head.length >= 4 && ZIP_SIGNATURES.has(head.readUInt32BE(0)),
  };
}

async function readAt(file: Awaited<ReturnType<typeof open>>, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, position);
  return buffer.subarray(0, bytesRead);
}
