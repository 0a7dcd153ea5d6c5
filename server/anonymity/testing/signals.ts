import type { Dump, DumpedRow } from './dump.ts';
import { FOUND } from './fragments.ts';
import { bytesOf } from './open-dump.ts';

type Placed = readonly [table: string, row: DumpedRow];
/** Value -> the rows that have it. */
export type RowIndex = ReadonlyMap<string, readonly Placed[]>;

/** An account, person, or row, with all values that identify it. */
export interface Subject {
  readonly id: string;
  readonly handles: readonly string[];
}

/** A value shared by more subjects than this identifies none of them. */
export const GUESSES = 5;

/** Shorter values are flags and numbers, which identify nothing. */
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

/** The values in a row that are specific enough to identify another row. */
export function keysOf(value: unknown): string[] {
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(keysOf);
  const text = String(value);
  return text.length >= SHORTEST_KEY ? [text] : [];
}

export function rowsAbout(index: RowIndex, { handles }: Subject): Set<Placed> {
  return new Set(handles.flatMap((handle) => index.get(handle) ?? []));
}

/** Adds related values to each subject, such as an account's address, sessions, and network. */
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

/** Signal -> subject -> a number that may show when, or in which order, it was created. */
export type Signals = Map<string, Map<string, number>>;

/** Turns every value of every row about each subject into a number, by table and column. */
export function gatherSignals(index: RowIndex, subjects: readonly Subject[]): Signals {
  const signals: Signals = new Map();
  for (const subject of subjects) {
    const note = (name: string, value: number) => {
      if (!Number.isFinite(value)) return;
      const values = signals.get(name) ?? new Map<string, number>();
      // If there are several rows, the first one written counts.
      values.set(subject.id, Math.min(value, values.get(subject.id) ?? Number.POSITIVE_INFINITY));
      signals.set(name, values);
    };
    for (const [table, row] of rowsAbout(index, subject)) {
      const [page = 0, place = 0] = row.ctid.slice(1, -1).split(',').map(Number);
      note(`${table}.ctid`, page * 1000 + place);
      for (const [name, transaction] of transactionsOf(row)) note(`${table}.${name}`, transaction);
      for (const [column, number] of numbersOf(row.columns)) note(`${table}.${column}`, number);
    }
  }
  return signals;
}

/** The transactions that a row names. */
export const transactionsOf = ({ xmin, xmax }: DumpedRow): ['xmin' | 'xmax', number][] =>
  [['xmin', Number(xmin)] as const, ['xmax', Number(xmax)] as const].flatMap(([name, number]) =>
    number > 0 ? [[name, number]] : [],
  );

/** Milliseconds since 1970 have 13 digits. */
const isTime = (value: number) => value > 1e12 && value < 1e13;

function numbersOf(columns: object, path = ''): [string, number][] {
  return Object.entries(columns).flatMap(([name, value]): [string, number][] => {
    if (name === FOUND) return [];
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
