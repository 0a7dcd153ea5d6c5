/** CPU time of this thread, in ms. Only the sum is exact: the kernel splits it by sampling. */
function cost(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** As much text as the long one has, in parts. */
const SHORT_RUNS = 4;
const MOST_TRIES = 20;

interface Pair {
  short: () => unknown;
  /** The same with 4 times as much text. */
  long: () => unknown;
  /** What `long` may take regardless, for a clock that ticks every few milliseconds. */
  slackMs: number;
}

/**
 * Whether 4 times the text takes about 4 times as long, and not 16 times, as quadratic time would.
 * A busy machine can only add to a measurement, so this compares the fastest runs, and retries.
 */
export function isLinear({ short, long, slackMs }: Pair): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    most = Math.min(most, cost(long));
    if (most <= slackMs) return true;
    // Together, because the clock would measure a single one as nothing.
    const parts = cost(() => {
      for (let run = 0; run < SHORT_RUNS; run += 1) short();
    });
    least = Math.min(least, parts);
    if (most <= 2 * least + slackMs) return true;
  }
  return false;
}
