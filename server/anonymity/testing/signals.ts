import type { Dump, DumpedRow } from './dump.ts';
import { bytesOf } from './open-dump.ts';

type Placed = readonly [table: string, row: DumpedRow];
/** Value -> the rows that have it. */
export type RowIndex = ReadonlyMap<string, readonly Placed[]>;

/** Somebody or something, with all values that stand for it. */
export interface Subject {
  readonly id: string;
  readonly handles: readonly string[];
}

/** What stands for more subjects than this stands for none. */
export const GUESSES = 5;

/** Shorter values are flags and numbers: they lead nowhere. */
const SHORTEST_KEY = 6;

export function indexRows(dump: Dump): RowIndex {
  const index = new Map<string, Placed[]>();
  for (const [table, rows] of dump.tables) {
    for (const row of rows) {
      for (const value of new Set(keysOf(row.columns))) {
        const found = index.get(value);
        if (found) found.push([table, row]);
        else index.set(value, [[table, row]]);
      }
    }
  }
  return index;
}

/** The values in a row that are special enough to lead to another. */
export function keysOf(value: unknown): string[] {
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(keysOf);
  const text = String(value);
  return text.length >= SHORTEST_KEY ? [text] : [];
}

export function rowsAbout(index: RowIndex, { handles }: Subject): Set<Placed> {
  return new Set(handles.flatMap((handle) => index.get(handle) ?? []));
}

/** Adds what the keys tell about the subjects, such as an account's address, sessions and network. */
export function expanded(index: RowIndex, subjects: readonly Subject[]): Subject[] {
  const found = subjects.map((subject) => {
    const learned = [...rowsAbout(index, subject)].flatMap(([, { columns }]) => {
      const { opened, known, id } = columns;
      return keysOf([opened, known, ...(known ? [id] : [])]);
    });
    return { ...subject, handles: [...new Set([...subject.handles, ...learned])] };
  });
  const holders = countEach(found.flatMap(({ handles }) => handles));
  return found.map((subject) => ({
    ...subject,
    handles: subject.handles.filter((handle) => (holders.get(handle) ?? 0) <= GUESSES),
  }));
}

function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Name of a signal -> subject -> whatever might tell when, or in which order, it came. */
export type Signals = Map<string, Map<string, number>>;

/** Every value of every row about each subject as a number, by where it stands. */
export function gatherSignals(index: RowIndex, subjects: readonly Subject[]): Signals {
  const signals: Signals = new Map();
  for (const subject of subjects) {
    const note = (name: string, value: number) => {
      if (!Number.isFinite(value)) return;
      const values = signals.get(name) ?? new Map<string, number>();
      // Of several rows, the first that was written.
      values.set(subject.id, Math.min(value, values.get(subject.id) ?? Number.POSITIVE_INFINITY));
      signals.set(name, values);
    };
    for (const [table, row] of rowsAbout(index, subject)) {
      const [page = 0, place = 0] = row.ctid.slice(1, -1).split(',').map(Number);
      note(`${table}.ctid`, page * 1000 + place);
      note(`${table}.xmin`, Number(row.xmin));
      for (const [column, number] of numbersOf(row.columns)) note(`${table}.${column}`, number);
    }
  }
  return signals;
}

/** Milliseconds since 1970 have this many digits. */
const isTime = (value: number) => value > 1e12 && value < 1e13;

function numbersOf(columns: object, path = ''): [string, number][] {
  return Object.entries(columns).flatMap(([name, value]): [string, number][] => {
    const column = `${path}${name}`;
    if (typeof value === 'number') return [[isTime(value) ? `${column}.time` : column, value]];
    if (typeof value === 'boolean') return [[column, Number(value)]];
    if (value === null) return [];
    if (typeof value === 'object') return numbersOf(value, `${column}.`);
    const text = String(value);
    const bytes = bytesOf(text) ?? Buffer.from(text.replaceAll('-', ''), 'hex');
    const found: [string, number][] = [[`${column}.length`, text.length]];
    if (bytes.length >= 6) {
      found.push([`${column}.start`, bytes.readUIntBE(0, 6)]);
      found.push([`${column}.end`, bytes.readUIntBE(bytes.length - 6, 6)]);
    }
    if (/^\d{4}-\d\d-\d\d/.test(text)) found.push([`${column}.time`, Date.parse(text)]);
    if (/^\d{1,16}$/.test(text)) found.push([`${column}.number`, Number(text)]);
    return found;
  });
}
