import { randomFrom } from './random.ts';
import { GUESSES } from './signals.ts';
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

function* distancesOf(
  by: string,
  values: readonly number[],
  rows: readonly number[],
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
  const [places, rowPlaces] = [ranksOf(values), ranksOf(rows)];
  yield (candidate, row) =>
    Math.abs((places[candidate] ?? 0) - ((rowPlaces[row] ?? 0) / rows.length) * values.length);
}

/**
 * Guesses owners by comparing the order of one signal among the candidates with the order of
 * another among the rows. Returns null if too few have both.
 */
export function compareOrder(
  by: string,
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
  candidates: readonly string[],
  pairs: readonly Pair[],
): Finding | null {
  const known = pairs.filter(({ key, owner }) => left.has(owner) && right.has(key));
  if (known.length < FEWEST) return null;
  const a = known.map(({ owner }) => left.get(owner) ?? 0);
  const b = known.map(({ key }) => right.get(key) ?? 0);
  if (new Set(a).size < 3 || new Set(b).size < 3) return null;
  const ids = candidates.filter((id) => left.has(id));
  const values = ids.map((id) => left.get(id) ?? 0);
  const placeOf = new Map(ids.map((id, at) => [id, at]));
  const distances = [...distancesOf(by, values, b)];
  const random = randomFrom(known.length);
  const isHit = (distance: Distance, owner: string, row: number) => {
    const own = distance(placeOf.get(owner) ?? 0, row);
    let [nearer, equal] = [0, 0];
    for (let at = 0; at < ids.length; at += 1) {
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
      (distance) => known.filter(({ owner }, row) => isHit(distance, owner, row)).length,
    ),
  );
  const rho = pearson(ranksOf(a), ranksOf(b));
  const byHits = binomialTail(hits, known.length, Math.min(1, GUESSES / ids.length));
  const byOrder = normalTail(rho * Math.sqrt(known.length - 1));
  const chance = Math.min(1, (distances.length + 1) * Math.min(byHits, byOrder));
  return { by, chance, amongFive: hits / pairs.length };
}
