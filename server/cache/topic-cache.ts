import { LRUCache } from 'lru-cache';
import type { Topic } from '#server/db/topics.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { mustReadFresh } from './write-position.ts';

interface Bounds<T> {
  /** The total weight of all values. */
  readonly capacity: number;
  /** The weight of a value; null if it must not be cached. */
  weigh(key: string, value: T): number | null;
  /** Runs each computation, for example on a replica. */
  readonly through?: <R>(compute: () => Promise<R>) => Promise<R>;
  /** Called for each read, with whether the value was cached or being computed. */
  readonly onRead?: (isHit: boolean) => void;
}

interface Entry<T> {
  readonly topics: readonly Topic[];
  readonly value: T;
}

interface Pending<T> {
  readonly topics: readonly Topic[];
  readonly promise: Promise<T>;
}

/**
 * An LRU cache whose entries depend on topics. A change of a topic removes its entries, including
 * those being computed, so that no stale value is ever returned.
 */
export class TopicCache<T> {
  readonly capacity: number;
  readonly #weigh: Bounds<T>['weigh'];
  readonly #through: NonNullable<Bounds<T>['through']>;
  readonly #onRead: (isHit: boolean) => void;
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #pending = new Map<string, Pending<T>>();
  #isListening = false;

  constructor({ capacity, weigh, through = (compute) => compute(), onRead = () => {} }: Bounds<T>) {
    this.#through = through;
    this.capacity = capacity;
    this.#weigh = weigh;
    this.#onRead = onRead;
    this.#entries = new LRUCache({
      maxSize: capacity,
      ttl: TIME_OUTS.keptAnswer.ms,
      ttlResolution: 0,
      perf: { now: () => Date.now() },
    });
  }

  /** The total weight of all values. */
  get weight(): number {
    return this.#entries.calculatedSize;
  }

  /** Returns a cached value if it is finished and fresh. */
  find(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.#onRead(true);
    return entry?.value;
  }

  /**
   * Returns the cached value, or computes it once for all callers. A caller whose writes this
   * server has not been notified of gets a separate value, which is not cached.
   */
  async remember(key: string, topics: readonly Topic[], compute: () => Promise<T>): Promise<T> {
    const make = () => this.#through(compute);
    if (mustReadFresh()) return make();
    const entry = this.#entries.get(key);
    const others = this.#pending.get(key);
    this.#onRead(entry !== undefined || others !== undefined);
    if (entry) return entry.value;
    if (others) return others.promise;
    const start = Date.now();
    const promise = make();
    if (!this.#isListening) return promise;
    const pending = { topics, promise };
    this.#pending.set(key, pending);
    try {
      const value = await promise;
      if (this.#pending.get(key) === pending) this.#keep(key, { topics, value }, start);
      return value;
    } finally {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  /** Removes all entries with these topics. */
  changed(topics: readonly string[]): void {
    for (const map of [this.#entries, this.#pending]) {
      for (const [key, made] of [...map]) {
        if (made.topics.some((topic) => topics.includes(topic))) map.delete(key);
      }
    }
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /**
   * Whether change notifications arrive. Without them, nothing new is cached. Existing entries stay
   * until they arrive again: the database is probably unreachable, so nobody can change anything.
   */
  setListening(isListening: boolean): void {
    this.#isListening = isListening;
    this.#pending.clear();
    if (isListening) this.#entries.clear();
  }

  #keep(key: string, entry: Entry<T>, start: number): void {
    const size = this.#weigh(key, entry.value);
    if (size !== null) this.#entries.set(key, entry, { size, start });
  }
}
