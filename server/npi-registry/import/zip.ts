import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { OperatorError } from '#server/errors/operator-error.ts';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  read(): AsyncIterable<Buffer>;
  close(): void;
}

/** Opens the only entry whose file name matches. Nothing is unpacked to disk. @throws OperatorError */
export async function openZipEntry(path: string, wanted: RegExp): Promise<ZipEntry> {
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
