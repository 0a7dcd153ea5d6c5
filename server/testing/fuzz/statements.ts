import type pg from 'pg';

/** The number of characters that distinguish one kind of statement from another. */
const START = 70;

/** Collects the distinct SQL texts that go through a pool. */
export class Statements {
  readonly #texts = new Set<string>();
  readonly #known = new WeakSet<pg.PoolClient>();

  constructor(pool: pg.Pool) {
    pool.on('acquire', (client) => this.#watch(client));
  }

  get count(): number {
    return this.#texts.size;
  }

  /** The most common beginnings of texts, with their counts. */
  commonest(): string[] {
    const counts = new Map<string, number>();
    for (const text of this.#texts) {
      const start = text.replace(/\s+/g, ' ').slice(0, START);
      counts.set(start, (counts.get(start) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 10);
    return sorted.map(([start, count]) => `${count} × ${start}…`);
  }

  #watch(client: pg.PoolClient): void {
    if (this.#known.has(client)) return;
    this.#known.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [first] = args;
      const text = typeof first === 'string' ? first : (first as { text?: string }).text;
      if (text !== undefined) this.#texts.add(text);
      return query(...args);
    }) as typeof client.query;
  }
}
