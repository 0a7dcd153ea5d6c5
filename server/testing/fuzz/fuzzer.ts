import fc from 'fast-check';
import type { Outcome, Violation } from './invariants.ts';
import { violationsOf } from './judge.ts';
import { type Finding, Report } from './report.ts';
import { STALL_MS } from './settings.ts';
import { TurnWatch } from './stalls.ts';

/** One kind of request: how to generate, send, and print it. */
export interface Idea<T = unknown> {
  readonly name: string;
  /** Its share of all requests, relative to the other ideas. */
  readonly share: number;
  /** The approximate number of requests per value. */
  readonly length: number;
  readonly arbitrary: fc.Arbitrary<T>;
  /** Sends the requests of one generated value, one at a time. */
  play(value: T): Promise<Outcome[]>;
  show(value: T): string;
}

/** Hides the type of an idea's values. */
export const idea = <T>(one: Idea<T>) => one as Idea;

/** Requests generated at once. */
const BATCH = 64;
const LANES = 8;
const TRIES_ALONE = 3;
/** Searching for stalls takes time. After this many batches, more failures show nothing new. */
const MAX_STALL_SEARCHES = 12;
const MAX_SHRINKS = 40;
const SHRINK_MS = 3_000;

/** Plays ideas, and reports every distinct violation instead of stopping at the first. */
export class Fuzzer implements Disposable {
  readonly report = new Report();
  readonly #watch = new TurnWatch();
  #stallSearches = 0;
  #shrinks = 0;

  /**
   * Plays batches of an idea until `requests` have been sent, and cleans up after each. Returns the
   * next seed.
   */
  async play(
    one: Idea,
    requests: number,
    firstSeed: number,
    tidy = async () => {},
  ): Promise<number> {
    let seed = firstSeed;
    for (const end = this.report.requests + requests; this.report.requests < end; seed += 1) {
      const numRuns = Math.ceil(Math.min(BATCH, end - this.report.requests) / one.length);
      const values = fc.sample(one.arbitrary, { seed, numRuns });
      this.#watch.reset();
      const outcomes = await inLanes(values, (value) => one.play(value));
      const stall = this.#watch.longest();
      for (const [at, value] of values.entries()) {
        const place = { idea: one.name, seed, path: String(at) };
        for (const outcome of outcomes[at] ?? []) {
          this.report.count(outcome);
          for (const violation of violationsOf(outcome)) {
            this.report.add(violation, place, () => one.show(value));
          }
        }
      }
      if (stall > STALL_MS) await this.#findStall(one, seed, values);
      await tidy();
    }
    return seed;
  }

  /** Shrinks the examples of an idea's findings as far as possible. */
  async shrink(ideas: readonly Idea[]): Promise<void> {
    for (const one of ideas) {
      for (const finding of this.report.unshrunk(one.name)) {
        finding.isShrunk = true;
        if (finding.invariant === 'stall' || this.#shrinks === MAX_SHRINKS) continue;
        this.#shrinks += 1;
        await shrinkOne(one, finding);
      }
    }
  }

  /** A stall counts only if the requests stall each time they are sent alone. */
  async #findStall(one: Idea, seed: number, values: readonly unknown[]): Promise<void> {
    if (this.#stallSearches === MAX_STALL_SEARCHES) return;
    this.#stallSearches += 1;
    for (const [at, value] of values.entries()) {
      const turns: number[] = [];
      let outcomes: Outcome[] = [];
      do {
        this.#watch.reset();
        outcomes = await one.play(value);
        turns.push(this.#watch.longest());
      } while (turns.length < TRIES_ALONE && Math.min(...turns) > STALL_MS);
      if (turns.length < TRIES_ALONE || Math.min(...turns) <= STALL_MS) continue;
      const violation: Violation = {
        invariant: 'stall',
        route: outcomes.at(-1)?.route ?? '',
        kind: `over ${STALL_MS} ms`,
        detail: `alone: ${turns.map(Math.round).join(', ')} ms of CPU time`,
      };
      this.report.add(violation, { idea: one.name, seed, path: String(at) }, () => one.show(value));
    }
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }
}

/** Lets fast-check shrink the value of a finding while it shows the same violation. */
async function shrinkOne(one: Idea, finding: Finding): Promise<void> {
  const isSame = (other: Violation) =>
    other.invariant === finding.invariant &&
    other.route === finding.route &&
    other.kind === finding.kind;
  const property = fc.asyncProperty(one.arbitrary, async (value) => {
    const outcomes = await one.play(value);
    return !outcomes.flatMap(violationsOf).some(isSame);
  });
  const { counterexample } = await fc.check(property, {
    seed: finding.seed,
    path: finding.path,
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  if (counterexample) finding.example = one.show(counterexample[0]);
}

async function inLanes<T, R>(values: readonly T[], play: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = values.entries();
  const lane = async () => {
    for (const [at, value] of waiting) results[at] = await play(value);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}
