/** Pseudorandom numbers, the same in every run (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    pick<T>(items: readonly T[]): T {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    letters: (n: number) =>
      Array.from({ length: n }, () => String.fromCharCode(97 + Math.floor(next() * 26))).join(''),
    shuffled<T>(items: readonly T[]): T[] {
      const tagged = items.map((item) => ({ item, at: next() }));
      return tagged.sort((a, b) => a.at - b.at).map(({ item }) => item);
    },
  };
}
export type Random = ReturnType<typeof randomFrom>;
