import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import * as z from 'zod';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';

/** The version of the layout below. A newer program may use a higher one. */
export const FORMAT = 1;

const Step = z.strictObject({ name: z.string(), checksum: z.string() });
const Head = z.object({
  format: z.number(),
  kind: z.enum(['backup', 'inventory']),
  /** When the database was read, by the database's clock. */
  taken_at: z.iso.datetime(),
  /** Identifies the database: `lineage.id`. */
  lineage: z.uuid(),
  /** The schema version of the rows. */
  migrations: z.array(Step),
  /** Fingerprints of the keys that the rows were written with, by setting. */
  keys: z.record(z.string(), z.array(z.string())),
  /** The last value of each sequence that has been used. */
  sequences: z.record(z.string(), z.int()),
});
export type Head = z.infer<typeof Head>;

const SectionStart = z.strictObject({ name: z.string(), columns: z.array(z.string()) });
const SectionEnd = z.strictObject({ rows: z.int() });
const Last = z.strictObject({ counts: z.record(z.string(), z.int()), mac: z.string() });

/** The rows of one table, in the text format of COPY. */
export interface Section {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<Buffer>;
  /** Number of rows. Known once `rows` has ended. */
  count(): number;
}

/** The file ends too early or was modified. */
export class ArchiveError extends Error {}

type Kind = 'H' | 'S' | 'R' | 'E' | 'Z';

/** The kind of frame, and the length of its payload. */
const PREFIX_BYTES = 5;
const MOST_FRAME_BYTES = 1 << 26;

/**
 * Writes frames: a head, the sections, and the counts with an HMAC-SHA-256 of everything before
 * them. An age recipient is public, so anyone could encrypt a file to it. Only the key can produce
 * this HMAC.
 */
export async function* writeArchive(
  head: Omit<Head, 'format'>,
  sections: Iterable<Section>,
  key: Buffer,
): AsyncGenerator<Buffer, Record<string, number>> {
  const mac = createHmac('sha256', key);
  const frame = (kind: Kind, payload: Buffer): Buffer => {
    const bytes = framed(kind, payload);
    mac.update(bytes);
    return bytes;
  };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const counts: Record<string, number> = {};
  yield frame('H', json({ format: FORMAT, ...head }));
  for (const { name, columns, rows, count } of sections) {
    yield frame('S', json({ name, columns }));
    for await (const chunk of rows) yield frame('R', chunk);
    counts[name] = count();
    yield frame('E', json({ rows: count() }));
  }
  yield framed('Z', json({ counts, mac: mac.digest('hex') }));
  return counts;
}

function framed(kind: Kind, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES + payload.length);
  bytes.write(kind, 'latin1');
  bytes.writeUInt32BE(payload.length, 1);
  payload.copy(bytes, PREFIX_BYTES);
  return bytes;
}

interface Archive {
  readonly head: Head;
  /**
   * The sections in order. Read each one's rows before the next. Ends only if the counts and the
   * HMAC match, unless `key` is null.
   */
  sections(key: Buffer | null): AsyncGenerator<Section>;
}

/** Reads what `writeArchive` wrote. Throws ArchiveError. */
export async function readArchive(source: AsyncIterable<Buffer>): Promise<Archive> {
  const frames = framesOf(source);
  const next = async (): Promise<Frame> => {
    const { value, done } = await frames.next();
    if (done) throw new ArchiveError('it ends too early');
    return value;
  };
  const first = await next();
  const head = contentOf(Head, first, 'H');

  async function* sections(key: Buffer | null): AsyncGenerator<Section> {
    const mac = key && createHmac('sha256', key).update(first.bytes);
    const read = async () => {
      const frame = await next();
      if (frame.kind !== 'Z') mac?.update(frame.bytes);
      return frame;
    };
    const counts: Record<string, number> = {};
    for (let frame = await read(); ; frame = await read()) {
      if (frame.kind === 'Z') {
        const last = contentOf(Last, frame, 'Z');
        const isSame = JSON.stringify(last.counts) === JSON.stringify(counts);
        if (!isSame || (mac && mac.digest('hex') !== last.mac)) {
          throw new ArchiveError('its counts or its HMAC do not match');
        }
        if (!(await frames.next()).done) throw new ArchiveError('there is data after its end');
        return;
      }
      const { name, columns } = contentOf(SectionStart, frame, 'S');
      yield { name, columns, rows: rowsOf(name), count: () => counts[name] ?? Number.NaN };
      if (!(name in counts)) throw new Error(`the rows of ${name} were not read`);
    }
    async function* rowsOf(name: string) {
      for (let frame = await read(); ; frame = await read()) {
        if (frame.kind !== 'R') {
          counts[name] = contentOf(SectionEnd, frame, 'E').rows;
          return;
        }
        yield frame.payload;
      }
    }
  }
  return { head, sections };
}

interface Frame {
  readonly kind: string;
  readonly payload: Buffer;
  readonly bytes: Buffer;
}

function contentOf<T extends z.ZodType>(schema: T, { kind, payload }: Frame, wanted: Kind) {
  if (kind !== wanted) throw new ArchiveError(`a frame ${wanted} is missing`);
  try {
    return schema.parse(JSON.parse(payload.toString()));
  } catch {
    throw new ArchiveError(`a frame ${wanted} cannot be read`);
  }
}

async function* framesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Frame, void> {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted = PREFIX_BYTES;
  for await (const chunk of source) {
    parts.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    let buffer = Buffer.concat(parts);
    for (;;) {
      wanted = PREFIX_BYTES;
      if (buffer.length < wanted) break;
      wanted += buffer.readUInt32BE(1);
      if (wanted > MOST_FRAME_BYTES) throw new ArchiveError('a frame is too long');
      if (buffer.length < wanted) break;
      const bytes = buffer.subarray(0, wanted);
      yield { kind: bytes.toString('latin1', 0, 1), payload: bytes.subarray(PREFIX_BYTES), bytes };
      buffer = buffer.subarray(wanted);
    }
    parts = [buffer];
    length = buffer.length;
  }
  if (length > 0) throw new ArchiveError('it ends within a frame');
}

/** A new key pair in the format of age-keygen. */
export async function newIdentity(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/**
 * Encrypts streams with age (age-encryption.org/v1), in chunks of 64 KiB. Throws OperatorError for
 * an invalid recipient.
 */
export function encryptionFor(recipient: string): (source: Readable) => Promise<Readable> {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new OperatorError('the recipient is not an age recipient: it must begin with age1');
  }
  return async (source) => nodeStream(await encrypter.encrypt(webStream(source)));
}

/**
 * Decrypts streams with the identities in a file from age-keygen. Throws OperatorError for a file
 * without an identity. Decrypting throws what age reports.
 */
export async function decryptionWith(
  identityFile: string,
): Promise<(source: Readable) => Promise<Readable>> {
  const decrypter = new Decrypter();
  for (const identity of await identitiesIn(identityFile)) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new OperatorError(`${identityFile} has an incomplete identity: copy it again`);
    }
  }
  return async (source) => nodeStream(await decrypter.decrypt(webStream(source)));
}

async function identitiesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw explainFileError(file, error);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) {
    throw new OperatorError(`${file} has no identity, a line that begins with AGE-SECRET-KEY-`);
  }
  return identities;
}

type WebStream = ReadableStream<Uint8Array>;
const webStream = (stream: Readable) => Readable.toWeb(stream) as unknown as WebStream;
const nodeStream = (stream: WebStream) => Readable.fromWeb(stream as never);
