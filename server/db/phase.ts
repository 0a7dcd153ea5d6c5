import manifest from '../../package.json' with { type: 'json' };

/** The release of this program. */
const RELEASE = manifest.version;

/** The oldest release: every release runs on a database that was only expanded. */
const FIRST_RELEASE = '1.0.0';

/**
 * How a migration affects older releases that are still running (docs/operations.md, "Updating").
 * One that expands breaks none of them. One that contracts removes what releases from `after` on no
 * longer use.
 */
export type Phase = { readonly kind: 'expand' } | { readonly kind: 'contract'; after: string };

const PHASE = /^-- phase: (?:(expand)|contract after (\d+\.\d+\.\d+))\n/;

/** Reads a first line `-- phase: expand` or `-- phase: contract after 1.2.0`; null without one. */
export function phaseOf(sql: string): Phase | null {
  const [, expand, after] = PHASE.exec(sql) ?? [];
  if (expand) return { kind: 'expand' };
  return after ? { kind: 'contract', after } : null;
}

/** The oldest release that runs on a database with this migration; null: only those that have it. */
export function leastRelease(sql: string): string | null {
  const phase = phaseOf(sql);
  if (phase?.kind === 'contract') return phase.after;
  return phase && FIRST_RELEASE;
}

/** Whether this program runs on a database with a migration that it does not have. */
export const runsWithout = (least: string | null) =>
  least !== null && compareReleases(RELEASE, least) >= 0;

/** Orders releases: negative if `a` is older than `b`. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) => release.split('.').map(Number));
  const differences = left?.map((part, index) => part - (right?.[index] ?? 0)) ?? [];
  return differences.find((difference) => difference !== 0) ?? 0;
}
