import { type Evidence, evidenceOf, type Identity } from './match-keys.ts';

/** A row without a known identifier, and an employer that it may be about. */
export interface Pair {
  readonly value: string;
  readonly row: Identity;
  readonly employer_id: number;
  readonly employer: Identity;
}

export interface Links {
  /** The employers that rows are about, by identifier. */
  readonly linked: ReadonlyMap<string, number>;
  /** The employers that rows may be about. Curators decide. */
  readonly doubtful: ReadonlyMap<string, number>;
}

interface Candidate {
  readonly id: number;
  readonly value: string;
  readonly row: Identity;
  readonly evidence: Evidence;
}

const MIN_EVIDENCE = 2;

/** More evidence first; of as much, the one with the same name. */
const strengthOf = ({ evidence }: Candidate) => evidence.count * 2 + Number(evidence.isNamesake);

/**
 * Links a row to an employer if two facts agree, and no other row and no other employer has as much.
 * Where a file lists one employer twice, its first row is linked. Everything else that agrees in
 * something is in doubt.
 */
export function linksOf(pairs: readonly Pair[]): Links {
  const all = pairs
    .map(
      ({ value, row, employer_id: id, employer }): Candidate => ({
        id,
        value,
        row,
        evidence: evidenceOf(row, employer),
      }),
    )
    .filter(({ evidence }) => evidence.count > 0);
  const byRow = Map.groupBy(all, ({ value }) => value);
  const byEmployer = Map.groupBy(all, ({ id }) => id);
  const linked = new Map<string, number>();
  const doubtful = new Map<string, Candidate>();
  for (const [value, candidates] of byRow) {
    const [best, next] = candidates.toSorted((a, b) => strengthOf(b) - strengthOf(a));
    if (!best) continue;
    const isOnly = next === undefined || strengthOf(next) < strengthOf(best);
    const rivals = (byEmployer.get(best.id) ?? []).filter(
      (rival) => rival.value !== value && strengthOf(rival) >= strengthOf(best),
    );
    const isFirst = rivals.every(
      (rival) =>
        strengthOf(rival) === strengthOf(best) &&
        value < rival.value &&
        areDuplicates(best.row, rival.row),
    );
    if (best.evidence.count >= MIN_EVIDENCE && isOnly && isFirst) linked.set(value, best.id);
    else doubtful.set(value, best);
  }
  const taken = new Set(linked.values());
  return {
    linked,
    // Under one roof, another name is another employer, if the address's own one is found.
    doubtful: new Map(
      [...doubtful].flatMap(([value, { id, evidence }]) =>
        taken.has(id) && !(evidence.hasAddress && evidence.hasName) ? [] : [[value, id]],
      ),
    ),
  };
}

/** Two rows of one file, under one roof and with similar names. */
export function areDuplicates(one: Identity, other: Identity): boolean {
  const { hasAddress, hasName } = evidenceOf(one, other);
  return hasAddress && hasName;
}
