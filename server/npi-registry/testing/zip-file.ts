import { crc32, deflateRawSync } from 'node:zlib';

interface ZipOptions {
  /** Puts sizes and offsets in ZIP64 fields, as in files over 4 GB. */
  zip64?: boolean;
  /** A compression method, for example an unsupported one. */
  method?: number;
  /** Writes a wrong checksum. */
  isDamaged?: boolean;
}

const DEFLATE = 8;
const IN_ZIP64 = 0xffffffff;

/** Builds a zip file from texts by file name (APPNOTE.TXT 6.3.10). */
export function zipOf(texts: Record<string, string | Buffer>, options: ZipOptions = {}): Buffer {
  const { zip64 = false, method = DEFLATE, isDamaged = false } = options;
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(texts)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const sum = (crc32(content) + (isDamaged ? 1 : 0)) >>> 0;
    const sizes = [packed.length, content.length];
    const common = numbers([45, 2], [0, 2], [method, 2], [0, 4], [sum, 4]);
    const local = Buffer.concat([
      numbers([0x04034b50, 4]),
      common,
      numbers([sizes[0], 4], [sizes[1], 4], [Buffer.byteLength(name), 2], [0, 2]),
      Buffer.from(name),
      packed,
    ]);
    const large = numbers([1, 2], [24, 2], [sizes[1], 8], [sizes[0], 8], [offset, 8]);
    const extra = zip64 ? large : Buffer.alloc(0);
    const shown = (value = 0) => (zip64 ? IN_ZIP64 : value);
    central.push(
      numbers([0x02014b50, 4], [45, 2]),
      common,
      numbers([shown(sizes[0]), 4], [shown(sizes[1]), 4], [Buffer.byteLength(name), 2]),
      numbers([extra.length, 2], [0, 2], [0, 2], [0, 2], [0, 4], [shown(offset), 4]),
      Buffer.from(name),
      extra,
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const count = locals.length;
  const { length } = directory;
  const end64 = [
    numbers([0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 4], [0, 4]),
    numbers([count, 8], [count, 8], [length, 8], [offset, 8]),
    numbers([0x07064b50, 4], [0, 4], [offset + length, 8], [1, 4]),
  ];
  const shown = (value: number) => (zip64 ? IN_ZIP64 : value);
  const end = [
    numbers([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2]),
    numbers([shown(length), 4], [shown(offset), 4], [0, 2]),
  ];
  return Buffer.concat([...locals, directory, ...(zip64 ? end64 : []), ...end]);
}

/** Little-endian, each in the given number of bytes. */
function numbers(...values: (readonly [value: number | undefined, bytes: number])[]): Buffer {
  return Buffer.concat(
    values.map(([value = 0, bytes]) => {
      const buffer = Buffer.alloc(8);
      buffer.writeBigUInt64LE(BigInt(value));
      return buffer.subarray(0, bytes);
    }),
  );
}
