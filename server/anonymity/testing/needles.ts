import { bytesOf } from './open-dump.ts';

/** Values to look for in bytes. */
export interface Needles {
  /** Bytes in hexadecimal -> the value as a dump prints it. */
  readonly values: ReadonlyMap<string, string>;
  readonly lengths: readonly number[];
  /** Which first three bytes occur: a test of one bit is much faster than cutting bytes out. */
  readonly starts: Uint8Array;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Shorter values occur by chance; longer ones are sealed and found by nobody. */
const [SHORTEST, LONGEST] = [16, 64];

/** The ids and byte strings among values of a dump. */
export function needlesOf(texts: Iterable<string>): Needles {
  const values = new Map<string, string>();
  for (const text of texts) {
    const bytes = UUID.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : bytesOf(text);
    if (!bytes || bytes.length < SHORTEST || bytes.length > LONGEST) continue;
    values.set(bytes.toString('hex'), text);
  }
  const starts = new Uint8Array(2 ** 21);
  const lengths = new Set<number>();
  for (const hex of values.keys()) {
    const start = Number.parseInt(hex.slice(0, 6), 16);
    starts[start >> 3] = (starts[start >> 3] ?? 0) | (1 << (start & 7));
    lengths.add(hex.length / 2);
  }
  return { values, starts, lengths: [...lengths] };
}

/** Each place of one of these values in some bytes. */
export function occurrences(
  bytes: Buffer,
  { values, lengths, starts }: Needles,
): { at: number; value: string }[] {
  const found: { at: number; value: string }[] = [];
  for (let at = 0; at + SHORTEST <= bytes.length; at += 1) {
    const start = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    if (((starts[start >> 3] ?? 0) & (1 << (start & 7))) === 0) continue;
    for (const length of lengths) {
      const value = values.get(bytes.toString('hex', at, at + length));
      if (value !== undefined) found.push({ at, value });
    }
  }
  return found;
}
