import type { Invariant, Outcome, Violation } from './invariants.ts';

/** Where a violation was found, to reproduce it. */
interface FoundAt {
  readonly idea: string;
  readonly seed: number;
  /** fast-check's path: identifies a value generated from the seed. */
  readonly path: string;
}

export interface Finding extends Violation, FoundAt {
  count: number;
  /** The requests that show it: at first as found, later the smallest ones that still show it. */
  example: string;
  isShrunk: boolean;
}

const keyOf = ({ invariant, route, kind }: Violation) => `${invariant}|${route}|${kind}`;

/** Every distinct failure once, by invariant, route, and kind. */
export class Report {
  readonly #findings = new Map<string, Finding>();
  readonly #statuses = new Map<number, number>();
  readonly #succeeded = new Set<string>();
  requests = 0;

  count({ route, answer }: Outcome): void {
    this.requests += 1;
    if (answer instanceof Error) return;
    const { status } = answer;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (status < 300) this.#succeeded.add(route);
  }

  add(violation: Violation, foundAt: FoundAt, example: () => string): void {
    const key = keyOf(violation);
    const known = this.#findings.get(key);
    if (known) known.count += 1;
    else {
      const found = { ...violation, ...foundAt, example: example(), count: 1, isShrunk: false };
      this.#findings.set(key, found);
    }
  }

  /** Findings of an idea that can still be shrunk. */
  unshrunk(idea: string): Finding[] {
    return [...this.#findings.values()].filter((each) => each.idea === idea && !each.isShrunk);
  }

  hasSucceeded = (route: string) => this.#succeeded.has(route);

  /** One text per failure of an invariant, for the test's message. */
  failures(invariant: Invariant): string[] {
    return [...this.#findings.values()]
      .filter((finding) => finding.invariant === invariant)
      .toSorted((a, b) => b.count - a.count)
      .map(describe);
  }

  /** How many responses had each status. */
  statuses(): string {
    const sorted = [...this.#statuses].toSorted(([a], [b]) => a - b);
    return sorted.map(([status, count]) => `${status}: ${count}`).join(', ');
  }
}

function describe({ route, kind, count, detail, idea, seed, path, example }: Finding): string {
  const lines = [`${route}: ${kind} (${count} times)`, detail && `  ${detail.slice(0, 400)}`];
  if (idea) lines.push(`  found by "${idea}", seed ${seed}, path ${path}:`, example);
  return lines.filter(Boolean).join('\n');
}
