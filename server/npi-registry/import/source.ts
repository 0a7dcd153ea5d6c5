import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';

interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  read(): AsyncIterable<Buffer>;
  close(): void;
}

/** Opens the only entry whose file name matches. Nothing is unpacked to disk. @throws OperatorError */
async function openZipEntry(path: string, wanted: RegExp): Promise<ZipEntry> {
  const zip = await openPromise(path, { autoClose: false }).catch((error) => explain(path, error));
  try {
    const entry = await findEntry(path, zip, wanted);
    return {
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      read: () => readEntry(path, zip, entry),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function findEntry(path: string, zip: ZipFile, wanted: RegExp): Promise<Entry> {
  const found: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.split('/').at(-1) ?? '';
      if (wanted.test(name)) found.push(entry);
    }
  } catch (error) {
    explain(path, error);
  }
  const [entry, another] = found;
  if (!entry) throw new OperatorError(`${path} contains no npidata_pfile_….csv`);
  if (another) throw new OperatorError(`${path} contains several npidata_pfile_….csv`);
  if (!entry.canDecodeFileData()) {
    throw new OperatorError(
      `${path} uses an unsupported compression: unpack it and import the CSV file`,
    );
  }
  return entry;
}

/** yauzl checks the length, but leaves the checksum to us. */
async function* readEntry(path: string, zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    explain(path, error);
  }
  if (sum !== entry.crc32) throw new OperatorError(`${path} is damaged: download it again`);
}

function explain(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('E')) throw error;
  throw new OperatorError(`${path} cannot be unpacked: ${message}`);
}

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
const PFILE = /^npidata_pfile_\d+-\d+\.csv$/i;
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
    const before = await statFile(path);
    const source = (await isZip(path))
      ? zipSource(await openZipEntry(path, PFILE))
      : csvSource(path, before.size);
    const isUnchanged = async () => {
      const { size, mtimeMs } = await statFile(path);
      return size === before.size && mtimeMs === before.mtimeMs;
    };
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

async function statFile(path: string) {
  const file = await stat(path);
  if (file.isDirectory()) throw new OperatorError(`${path} is a folder, not a file`);
  if (!file.isFile()) throw new OperatorError(`${path} is not a file`);
  return file;
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && ZIP_SIGNATURES.has(buffer.readUInt32BE());
  } finally {
    await file.close();
  }
}
