import type { Dump, DumpedRow } from './dump.ts';
import type { Loot, Target } from './matcher.ts';
import { withColumns } from './open-dump.ts';
import { gatherSignals, type Signals, type Subject } from './signals.ts';
import { normalTail, pearson } from './statistics.ts';

const UNCHANGED = 'same_as_';

/**
 * Adds to each row which of its columns are the same as in an earlier dump: 0 for a new value, so that
 * the new one counts if there are several rows.
 */
export function withChanges(dump: Dump, name: string, earlier: Dump): Dump {
  const known = new Map(
    [...earlier.tables].map(([table, rows]) => [
      table,
      new Map(rows.map((row) => [idOf(row), row.columns])),
    ]),
  );
  return withColumns(dump, (table, row) => {
    const before = known.get(table)?.get(idOf(row));
    const same = Object.entries(row.columns).map(([column, value]) => [
      column,
      Number(JSON.stringify(value) === JSON.stringify(before?.[column])),
    ]);
    return {
      [`${UNCHANGED}${name}`]: { row: Number(before !== undefined), ...Object.fromEntries(same) },
    };
  });
}

/** What names a row in both dumps. */
const idOf = ({ columns }: DumpedRow) =>
  String(columns['id'] ?? columns['review_id'] ?? columns['user_id'] ?? JSON.stringify(columns));

/** The comparison of changes that ties owners to rows best, with its probability by chance. */
export function matchChanges({ index, accounts }: Loot, { pairs }: Target) {
  const changesOf = (subjects: readonly Subject[]): Signals =>
    new Map([...gatherSignals(index, subjects)].filter(([by]) => by.includes(UNCHANGED)));
  const right = changesOf(pairs.map(({ key }) => ({ id: key, handles: [key] })));
  const found = [...changesOf(accounts)].flatMap(([by, values]) =>
    [...right].map(([other, rows]) => {
      const known = pairs.filter(({ key, owner }) => values.has(owner) && rows.has(key));
      const a = known.map(({ owner }) => values.get(owner) ?? 0);
      const b = known.map(({ key }) => rows.get(key) ?? 0);
      const differ = new Set(a).size > 1 && new Set(b).size > 1;
      const chance = differ ? normalTail(pearson(a, b) * Math.sqrt(known.length - 1)) : 1;
      return { by: `${by} ~ ${other}`, chance };
    }),
  );
  const [best] = found.toSorted((a, b) => a.chance - b.chance);
  if (!best) throw new Error('nothing was compared');
  return { by: best.by, byChance: Math.min(1, found.length * best.chance) };
}
