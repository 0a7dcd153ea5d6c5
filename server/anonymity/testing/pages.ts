/** PostgreSQL's layout of pages and rows (PostgreSQL, chapter "Database Page Layout"). */
export const PAGE = 8192;

const LINE_POINTERS = 24;
const LP_NORMAL = 1;
const HEADER = 23;
/** Kept for frozen rows and other special meanings. */
const FIRST_TRANSACTION = 3;
/** Bits of `t_infomask2` that count a row's columns. */
const NATTS = 0x07ff;

/** A row in a page, live or not. */
export interface RawRow {
  /** The number of its line pointer; null if nothing points to these bytes any more. */
  readonly at: number | null;
  readonly offset: number;
  readonly xmin: number;
  readonly xmax: number;
  readonly bytes: Buffer;
}

/** All rows in a page of a table: those with line pointers, and what is left of others between them. */
export function rowsOfPage(page: Buffer, columns: number): RawRow[] {
  const lower = page.readUInt16LE(12);
  if (lower < LINE_POINTERS || lower > PAGE) return [];
  const covered = new Uint8Array(PAGE);
  covered.fill(1, 0, lower);
  const rows: RawRow[] = [];
  for (let pointer = LINE_POINTERS; pointer + 4 <= lower; pointer += 4) {
    const value = page.readUInt32LE(pointer);
    const [offset, flags, length] = [value & 0x7fff, (value >>> 15) & 3, value >>> 17];
    if (flags !== LP_NORMAL || length < HEADER || offset + length > PAGE) continue;
    covered.fill(1, offset, offset + length);
    rows.push(rowAt(page, offset, offset + length, 1 + (pointer - LINE_POINTERS) / 4));
  }
  for (const [from, to] of gapsOf(covered)) rows.push(...remains(page, from, to, columns));
  return rows;
}

/** The parts of a page that no line pointer covers. */
function gapsOf(covered: Uint8Array): [number, number][] {
  const gaps: [number, number][] = [];
  for (let at = 0; at < PAGE; at += 1) {
    if (covered[at]) continue;
    const end = covered.indexOf(1, at);
    gaps.push([at, end === -1 ? PAGE : end]);
    at = end === -1 ? PAGE : end;
  }
  return gaps;
}

/** Rows in free space, found by their headers, which are aligned to 8 bytes. */
function remains(page: Buffer, from: number, to: number, columns: number): RawRow[] {
  const starts: number[] = [];
  for (let at = (from + 7) & ~7; at + HEADER < to; at += 8) {
    if (isHeader(page, at, columns)) starts.push(at);
  }
  const [first = to] = starts;
  const rows = starts.map((start, n) => rowAt(page, start, starts[n + 1] ?? to, null));
  // The rest of a row whose beginning is overwritten.
  const rest = page.subarray(from, first);
  if (rest.every((byte) => byte === 0)) return rows;
  return [{ at: null, offset: from, xmin: 0, xmax: 0, bytes: rest }, ...rows];
}

function isHeader(page: Buffer, at: number, columns: number): boolean {
  const natts = page.readUInt16LE(at + 18) & NATTS;
  const dataAt = page[at + 22] ?? 0;
  const longest = (HEADER + ((columns + 7) >> 3) + 7) & ~7;
  return (
    page.readUInt32LE(at) >= FIRST_TRANSACTION &&
    page.readUInt32LE(at) < 2 ** 24 &&
    page.readUInt32LE(at + 4) < 2 ** 24 &&
    natts > 0 &&
    natts <= columns &&
    dataAt > HEADER &&
    dataAt <= longest &&
    dataAt % 8 === 0
  );
}

const rowAt = (page: Buffer, start: number, end: number, at: number | null): RawRow => ({
  at,
  offset: start,
  xmin: page.readUInt32LE(start),
  xmax: page.readUInt32LE(start + 4),
  bytes: page.subarray(start, end),
});

/** 2000-01-01, PostgreSQL's beginning of time, in milliseconds since 1970. */
const PG_EPOCH = 946_684_800_000;
const [EARLIEST, LATEST] = [Date.UTC(2020), Date.UTC(2040)];

/** The times in a row: they are aligned to 8 bytes. */
export function timesOf(bytes: Buffer): number[] {
  const times: number[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const time = PG_EPOCH + Number(bytes.readBigInt64LE(at) / 1000n);
    if (time > EARLIEST && time < LATEST) times.push(time);
  }
  return times;
}

/** The ids of values that a row keeps out of line in `toast`: pointers of the kind `varatt_external`. */
export function chunkIdsOf(bytes: Buffer, toast: number): number[] {
  const ids: number[] = [];
  for (let at = bytes.indexOf(Buffer.from([1, 18])); at !== -1; ) {
    if (at + 18 <= bytes.length && bytes.readUInt32LE(at + 14) === toast) {
      ids.push(bytes.readUInt32LE(at + 10));
    }
    at = bytes.indexOf(Buffer.from([1, 18]), at + 1);
  }
  return ids;
}

/** The first byte of a value of 32 bytes: twice its length with itself, plus one. */
const LENGTH_OF_32 = 2 * (32 + 1) + 1;

/** The random values of 32 bytes in a row, such as keys and hashes. A text has fewer high bytes. */
export function randomBytesIn(bytes: Buffer): string[] {
  const values: string[] = [];
  for (let at = bytes.indexOf(LENGTH_OF_32); at !== -1; ) {
    const value = bytes.subarray(at + 1, at + 33);
    const high = value.reduce((sum, byte) => sum + (byte >> 7), 0);
    if (value.length === 32 && high > 5) values.push(value.toString('hex'));
    at = bytes.indexOf(LENGTH_OF_32, at + 1);
  }
  return values;
}
