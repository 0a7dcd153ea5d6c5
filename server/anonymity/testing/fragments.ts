import type { SealingKey } from '../keys.ts';
import type { Dump, DumpedRow } from './dump.ts';
import type { Fragment } from './files.ts';
import type { Meanings } from './meanings.ts';
import { needlesOf, occurrences } from './needles.ts';
import { openAny } from './open-dump.ts';
import type { Thief } from './thief.ts';

/** The column for the values found in bytes. They link rows, and are no numbers. */
export const FOUND = 'found';

/** A fragment, or the place of one value in it. */
interface Piece {
  readonly fragment: Fragment;
  readonly found: Set<string>;
  opened?: unknown;
}

/**
 * Adds what a thief recognizes in the rest of the database's files, as tables of their own: ids and
 * bytes of the dump, everything that the keys compute, and jobs that they open.
 */
export function withFragments(dump: Dump, { keys }: Thief, meanings: readonly Meanings[]): Dump {
  const pieces = new Map<string, Piece>();
  const pieceAt = (fragment: Fragment, at: number) => {
    const { table, ctid, isRow } = fragment;
    const place = `${table} ${ctid} ${isRow ? '' : at}`;
    const piece = pieces.get(place) ?? { fragment, found: new Set<string>() };
    pieces.set(place, piece);
    return piece;
  };
  for (const [fragment, places] of ownNeedlesIn(dump)) {
    for (const { at, value } of places) pieceAt(fragment, at).found.add(value);
  }
  for (const known of meanings) {
    for (const [fragment, places] of placesOf(known, dump)) {
      for (const { at, value } of places) {
        const { found } = pieceAt(fragment, at);
        for (const text of [value, ...Object.values(known.get(value) ?? {})]) found.add(text);
      }
    }
  }
  for (const fragment of dump.fragments) {
    const opened = openJob(keys.sealing, fragment);
    if (opened !== undefined) pieceAt(fragment, 0).opened = opened;
  }
  const byTable = Map.groupBy(pieces.values(), ({ fragment: { table } }) => table);
  const added = [...byTable].map(([table, all]) => [table, all.map(rowOf)] as const);
  return { ...dump, tables: new Map([...dump.tables, ...added]) };
}

const rowOf = ({ fragment, found, opened }: Piece): DumpedRow => {
  const { ctid, xmin, xmax, times, isOfReview } = fragment;
  const columns = { [FOUND]: [...found], times: { ...times } };
  return {
    ctid,
    xmin,
    xmax,
    isVersion: isOfReview,
    columns: opened === undefined ? columns : { ...columns, opened },
  };
};

type Places = ReadonlyMap<Fragment, ReturnType<typeof occurrences>>;
/** Cache: the fragments of a dump -> the meanings of keys, or the fragments themselves -> places. */
const cached = new WeakMap<Dump['fragments'], WeakMap<object, Places>>();

/** Where values occur in fragments, once for all thieves with the same `source` of values. */
function placesIn(
  fragments: Dump['fragments'],
  source: object,
  values: () => Iterable<string>,
): Places {
  const bySource = cached.get(fragments) ?? new WeakMap<object, Places>();
  cached.set(fragments, bySource);
  const found = bySource.get(source);
  if (found) return found;
  const needles = needlesOf(values());
  const places = new Map(
    fragments.map((fragment) => [fragment, occurrences(fragment.bytes, needles)]),
  );
  bySource.set(source, places);
  return places;
}

const placesOf = (meanings: Meanings, { fragments }: Dump) =>
  placesIn(fragments, meanings, () => meanings.keys());

/** Where the ids and bytes of a dump's rows occur in the rest of its files. */
const ownNeedlesIn = ({ tables, fragments }: Dump) =>
  placesIn(fragments, fragments, () =>
    [...tables].flatMap(([, rows]) =>
      rows.flatMap(({ columns }) =>
        Object.values(columns).flatMap((value) => (typeof value === 'string' ? [value] : [])),
      ),
    ),
  );

const BASE64 = /[A-Za-z0-9+/]{64,}={0,2}/g;

/** The payload of a job that is no longer in the queue. */
function openJob(keys: readonly SealingKey[], { table, bytes }: Fragment): unknown {
  if (!table.startsWith('files.pgboss.')) return undefined;
  for (const [sealed] of bytes.toString('latin1').matchAll(BASE64)) {
    const opened = openAny(keys, Buffer.from(sealed, 'base64'), ['job']);
    if (opened !== undefined) return opened;
  }
  return undefined;
}
