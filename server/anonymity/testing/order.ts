import { randomFrom } from './random.ts';
import { GUESSES, type Signals } from './signals.ts';
import { binomialTail, normalTail, pearson, ranksOf } from './statistics.ts';

/** A row's key and its true owner, which is only used to count hits. */
export interface Pair {
  readonly key: string;
  readonly owner: string;
}

export interface Finding {
  /** The signal that was compared, and its table. */
  readonly by: string;
  /** Probability of doing as well by chance in this one comparison: an upper bound. */
  readonly chance: number;
  /** Share of the rows whose owner was among the first five guesses. */
  readonly amongFive: number;
}

/** With fewer rows, nothing stands out from chance. */
const FEWEST = 20;

/** The distance between a candidate and a row. */
type Distance = (candidate: number, row: number) => number;

const HOUR_MS = 3_600_000;
/** Lifetimes that turn a stored expiry into a start: codes, limits, links, sessions. */
const LIFETIMES = [0, HOUR_MS / 4, HOUR_MS, 24 * HOUR_MS, 14 * 24 * HOUR_MS, 90 * 24 * HOUR_MS];

/** The candidates that have a signal. */
interface Side {
  readonly name: string;
  readonly values: readonly number[];
  readonly ranks: readonly number[];
  /** Of each pair: the value of its owner, and the owner's place among the candidates. */
  readonly owners: readonly (readonly [value: number, place: number] | undefined)[];
}

function* distancesOf(
  by: string,
  { values, ranks }: Side,
  rows: readonly number[],
  rowRanks: readonly number[],
): Generator<Distance> {
  const areOf = (unit: RegExp) => by.split(' ~ ').every((signal) => unit.test(signal));
  const areTimes = areOf(/\.time$/);
  if (areTimes || areOf(/\.xm(in|ax)$/)) {
    for (const lifetime of areTimes ? LIFETIMES : [0]) {
      // Candidates before the row are more likely than candidates after it.
      yield (candidate, row) => {
        const ago = (rows[row] ?? 0) - ((values[candidate] ?? 0) - lifetime);
        return ago < 0 ? Number.POSITIVE_INFINITY : ago;
      };
    }
    return;
  }
  yield (candidate, row) =>
    Math.abs((ranks[candidate] ?? 0) - ((rowRanks[row] ?? 0) / rows.length) * values.length);
}

/** Whether there are enough values, and enough of them differ, to stand out from chance. */
function areTelling(values: readonly (number | undefined)[]): boolean {
  const known = values.filter((value) => value !== undefined);
  return known.length >= FEWEST && new Set(known).size >= 3;
}

/**
 * Guesses owners by comparing the order of each signal among the candidates with the order of each
 * other among the rows, if enough have both.
 */
export function compareOrders(
  left: Signals,
  right: Signals,
  candidates: readonly string[],
  pairs: readonly Pair[],
): Finding[] {
  const rowSignals = [...right].flatMap(([name, values]) => {
    const ofPairs = pairs.map(({ key }) => values.get(key));
    return areTelling(ofPairs) ? [[name, ofPairs] as const] : [];
  });
  return [...left].flatMap(([name, values]) => {
    if (!areTelling(pairs.map(({ owner }) => values.get(owner)))) return [];
    const side = sideOf(name, values, candidates, pairs);
    return rowSignals.flatMap(([rowName, rows]) => compareOrder(side, rowName, rows) ?? []);
  });
}

function sideOf(
  name: string,
  signal: ReadonlyMap<string, number>,
  candidates: readonly string[],
  pairs: readonly Pair[],
): Side {
  const ids = candidates.filter((id) => signal.has(id));
  const values = ids.map((id) => signal.get(id) ?? 0);
  const placeOf = new Map(ids.map((id, at) => [id, at]));
  const owners = pairs.map(({ owner }) => {
    const value = signal.get(owner);
    return value === undefined ? undefined : ([value, placeOf.get(owner) ?? 0] as const);
  });
  return { name, values, ranks: ranksOf(values), owners };
}

/** Returns null if too few pairs have both signals. */
function compareOrder(
  side: Side,
  rowName: string,
  rows: readonly (number | undefined)[],
): Finding | null {
  const known = side.owners.flatMap((owner, at) => {
    const value = rows[at];
    return owner && value !== undefined ? [{ owner, value }] : [];
  });
  const a = known.map(({ owner: [value] }) => value);
  const b = known.map(({ value }) => value);
  if (!areTelling(a) || !areTelling(b)) return null;
  const by = `${side.name} ~ ${rowName}`;
  const rowRanks = ranksOf(b);
  const distances = [...distancesOf(by, side, b, rowRanks)];
  const size = side.values.length;
  const random = randomFrom(known.length);
  const isHit = (distance: Distance, place: number, row: number) => {
    const own = distance(place, row);
    let [nearer, equal] = [0, 0];
    for (let at = 0; at < size; at += 1) {
      const other = distance(at, row);
      if (other < own) nearer += 1;
      else if (other === own) equal += 1;
      if (nearer >= GUESSES) return false;
    }
    // Candidates at the same distance are tried in random order.
    return nearer + random.below(equal) < GUESSES;
  };
  const hits = Math.max(
    ...distances.map(
      (distance) => known.filter(({ owner: [, place] }, row) => isHit(distance, place, row)).length,
    ),
  );
  const rho = pearson(ranksOf(a), rowRanks);
  const byHits = binomialTail(hits, known.length, Math.min(1, GUESSES / size));
  const byOrder = normalTail(rho * Math.sqrt(known.length - 1));
  const chance = Math.min(1, (distances.length + 1) * Math.min(byHits, byOrder));
  return { by, chance, amongFive: hits / rows.length };
}
