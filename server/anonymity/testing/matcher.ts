import type { Dump, DumpedRow } from './dump.ts';
import { openDump, withAuthors } from './open-dump.ts';
import { compareOrders, type Finding, type Pair } from './order.ts';
import { randomFrom } from './random.ts';
import { recompute } from './recompute.ts';
import {
  expanded,
  GUESSES,
  gatherSignals,
  indexRows,
  keysOf,
  type RowIndex,
  rowsAbout,
  type Subject,
  transactionsOf,
} from './signals.ts';
import { binomialTail } from './statistics.ts';
import type { Thief } from './thief.ts';

/** A dump with everything that a thief can derive from it. */
export interface Loot {
  readonly dump: Dump;
  readonly index: RowIndex;
  /** Accounts by their ids, and people by their emails and NPIs, where rows mention them. */
  readonly accounts: readonly Subject[];
  readonly people: readonly Subject[];
}

export interface Target {
  readonly table: string;
  readonly column: string;
  readonly pairs: readonly Pair[];
}

/** Derives everything that the thief's keys allow from a dump. */
export function ransack(dump: Dump, thief: Thief): Loot {
  const read = recompute(openDump(withAuthors(dump), thief), thief);
  const index = indexRows(read);
  const ids = (read.tables.get('public.users') ?? []).map(({ columns }) => String(columns['id']));
  const people = thief.suspects.people.map(({ email, former_email, npi }) => ({
    id: npi,
    handles: [email, npi, ...(former_email ? [former_email] : [])],
  }));
  return {
    dump: read,
    index,
    accounts: expanded(
      index,
      // A random order, so that ties carry no information.
      randomFrom(8).shuffled(ids.map((id) => ({ id, handles: [id] }))),
    ),
    people: expanded(index, people),
  };
}

/**
 * Tries to find the owners of a table's rows: by equal values, and by comparing the order of
 * places, transactions, times, numbers, and lengths in all related rows. Best finding first.
 */
export function matchOwners(
  { dump, index }: Loot,
  all: readonly Subject[],
  target: Target,
): Finding[] {
  const rows = rowsByKey(dump, target);
  const pairs = randomFrom(7).shuffled(target.pairs.filter(({ key }) => rows.has(key)));
  const subjects = possibleOwners(all, rows, pairs);
  const equal = equality(index, subjects, rows, pairs);
  // All owners are found, so order adds nothing.
  if (equal.amongFive === 1) return [equal];
  const left = gatherSignals(index, subjects);
  const right = gatherSignals(
    index,
    pairs.map(({ key }) => ({ id: key, handles: [key] })),
  );
  const candidates = subjects.map(({ id }) => id);
  const findings = [equal, ...compareOrders(left, right, candidates, pairs)];
  return findings.toSorted((a, b) => a.chance - b.chance || b.amongFive - a.amongFive);
}

function rowsByKey(dump: Dump, { table, column }: Target): Map<string, DumpedRow> {
  return new Map((dump.tables.get(table) ?? []).map((row) => [String(row.columns[column]), row]));
}

/** Excludes accounts that own other rows by name: an account is either locked or not. */
function possibleOwners(
  subjects: readonly Subject[],
  rows: ReadonlyMap<string, DumpedRow>,
  pairs: readonly Pair[],
): readonly Subject[] {
  const namesOf = (row?: DumpedRow) => keysOf(row?.columns['known'] ?? {});
  if (pairs.some(({ key }) => namesOf(rows.get(key)).length > 0)) return subjects;
  const named = new Set([...rows.values()].flatMap(namesOf));
  return subjects.filter(({ handles }) => !handles.some((handle) => named.has(handle)));
}

/** Everything a row may share with others, except its key, which all actions on it share. */
const marksOf = (row: DumpedRow, key?: string) =>
  [
    ...keysOf(row.columns),
    ...transactionsOf(row).map(([, number]) => `transaction ${number}`),
  ].filter((mark) => mark !== key);

/** What a row shares with others, now or in what is left of it in files. */
const marksEver = (index: RowIndex, rows: ReadonlyMap<string, DumpedRow>, key: string) => {
  const row = rows.get(key);
  const versions = (index.get(key) ?? []).flatMap(([, found]) => (found.isVersion ? [found] : []));
  return [...(row ? [row] : []), ...versions].flatMap((version) => marksOf(version, key));
};

/** Value -> the subjects whose rows have it. */
function holdersOf(index: RowIndex, subjects: readonly Subject[]): Map<string, Set<string>> {
  const holders = new Map<string, Set<string>>();
  for (const subject of subjects) {
    const marks = [...rowsAbout(index, subject)].flatMap(([, row]) => marksOf(row));
    for (const mark of [...subject.handles, ...marks]) {
      holders.set(mark, (holders.get(mark) ?? new Set()).add(subject.id));
    }
  }
  return holders;
}

/** Counts rows with a value that also occurs in the rows of a few subjects, including the owner. */
function equality(
  index: RowIndex,
  subjects: readonly Subject[],
  rows: ReadonlyMap<string, DumpedRow>,
  pairs: readonly Pair[],
): Finding {
  const holders = holdersOf(index, subjects);
  const hits = pairs.filter(({ key, owner }) =>
    marksEver(index, rows, key).some((mark) => {
      const few = holders.get(mark);
      return few !== undefined && few.size <= GUESSES && few.has(owner);
    }),
  ).length;
  const chance = binomialTail(hits, pairs.length, Math.min(1, GUESSES / subjects.length));
  return { by: 'equal values', chance, amongFive: hits / Math.max(1, pairs.length) };
}

/** Share of rows with a value that identifies only the owner. */
export function foundOutright(loot: Loot, target: Target): number {
  const rows = rowsByKey(loot.dump, target);
  const holders = holdersOf(loot.index, loot.accounts);
  const found = target.pairs.filter(({ key, owner }) => {
    const named = marksEver(loot.index, rows, key).flatMap((mark) => {
      const [only, ...others] = holders.get(mark) ?? [];
      return only && others.length === 0 ? [only] : [];
    });
    return named.length > 0 && named.every((id) => id === owner);
  });
  return found.length / target.pairs.length;
}
