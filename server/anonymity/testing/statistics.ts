/** The probability of at least `hits` successes in `tries`, each with probability `p`. */
export function binomialTail(hits: number, tries: number, p: number): number {
  if (hits <= 0) return 1;
  if (hits > tries || p <= 0) return 0;
  if (p >= 1) return 1;
  // Logarithms, because the factors overflow and underflow.
  let log = 0;
  for (let at = 1; at <= hits; at += 1) log += Math.log((tries - hits + at) / at);
  log += hits * Math.log(p) + (tries - hits) * Math.log1p(-p);
  let [sum, term] = [0, Math.exp(log)];
  for (let at = hits; at <= tries; at += 1) {
    sum += term;
    term *= ((tries - at) / (at + 1)) * (p / (1 - p));
  }
  return Math.min(1, sum);
}

/**
 * Upper bound on the probability of a normal deviate beyond `z`, in either direction (Chernoff).
 */
export function normalTail(z: number): number {
  return Math.min(1, 2 * Math.exp((-z * z) / 2));
}

/** Ranks from 0. Equal values share the middle of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((x, y) => (values[x] ?? 0) - (values[y] ?? 0));
  const ranks = Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1] ?? 0] === values[order[from] ?? 0])
      to += 1;
    for (let at = from; at <= to; at += 1) ranks[order[at] ?? 0] = (from + to) / 2;
    from = to + 1;
  }
  return ranks;
}

export function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [covariance, varianceA, varianceB] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const [da, db] = [x - meanA, (b[at] ?? 0) - meanB];
    covariance += da * db;
    varianceA += da * da;
    varianceB += db * db;
  }
  return covariance / Math.sqrt(varianceA * varianceB || 1);
}
