import { TIME_OUTS } from '#server/time-outs.ts';

/** What the public reads, as the database's `changed` triggers name it. */
export const TOPICS = ['employers', 'position_titles', 'reviews', 'votes'] as const;
export type Topic = (typeof TOPICS)[number];

/** How much of the capacity may be held for what was asked for again. */
const PROTECTED_SHARE = 0.8;

interface Entry<T> {
  readonly topics: readonly Topic[];
  readonly until: number;
  readonly making: Promise<T>;
  /** What came of it: not there while it is being made. */
  made?: { readonly value: T; readonly weight: number };
}

interface Bounds<T> {
  /** What all values together may weigh. */
  readonly capacity: number;
  /** What a value weighs; null for one that is not to be kept. */
  weigh(key: string, value: T): number | null;
}

/** Entries from the least to the most recently used: a Map keeps the order of insertion. */
class Segment<T> {
  readonly entries = new Map<string, Entry<T>>();
  weight = 0;

  /** Puts in an entry as the most recently used. */
  add(key: string, entry: Entry<T>): void {
    this.entries.set(key, entry);
    this.weight += entry.made?.weight ?? 0;
  }

  /** Whether it was there. */
  remove(key: string, entry: Entry<T>): boolean {
    if (this.entries.get(key) !== entry) return false;
    this.entries.delete(key);
    this.weight -= entry.made?.weight ?? 0;
    return true;
  }

  clear(): void {
    this.entries.clear();
    this.weight = 0;
  }
}

/**
 * Values by key, each made from topics. A change takes out all that was made from its topic,
 * finished or still being made: whatever is in here is as if it were made now.
 *
 * A segmented LRU: a new entry is on probation, and the first to be evicted, until it is asked for
 * again. Keys that are asked for once, however many, do not evict what is asked for often.
 */
export class FreshCache<T> {
  readonly #bounds: Bounds<T>;
  readonly #probation = new Segment<T>();
  readonly #protected = new Segment<T>();
  #isHearing = false;

  constructor(bounds: Bounds<T>) {
    this.#bounds = bounds;
  }

  /** What all that is kept weighs. */
  get weight(): number {
    return this.#probation.weight + this.#protected.weight;
  }

  /** The value under `key`, if there is one that is finished and fresh. */
  find(key: string): T | undefined {
    return this.#use(key)?.made?.value;
  }

  /** The value under `key`, made once for all who ask until one of its topics changes. */
  remember(key: string, topics: readonly Topic[], make: () => Promise<T>): Promise<T> {
    const kept = this.#use(key);
    if (kept) return kept.making;
    const making = make();
    if (!this.#isHearing) return making;
    const until = Date.now() + TIME_OUTS.keptAnswer.ms;
    const entry: Entry<T> = { topics, until, making };
    this.#probation.add(key, entry);
    making.then(
      (value) => this.#finish(key, entry, value),
      () => this.#takeOut(key, entry),
    );
    return making;
  }

  /** Takes out what was made from these. */
  changed(topics: readonly string[]): void {
    for (const { entries } of [this.#probation, this.#protected]) {
      for (const [key, entry] of entries) {
        if (entry.topics.some((topic) => topics.includes(topic))) this.#takeOut(key, entry);
      }
    }
  }

  /** Whether changes are heard of. As long as they are not, nothing is kept. */
  hear(isHearing: boolean): void {
    this.#isHearing = isHearing;
    this.#probation.clear();
    this.#protected.clear();
  }

  #use(key: string): Entry<T> | undefined {
    const entry = this.#protected.entries.get(key) ?? this.#probation.entries.get(key);
    if (!entry) return;
    if (entry.until <= Date.now()) {
      this.#takeOut(key, entry);
      return;
    }
    // While it is being made, those who ask may be one crowd.
    if (entry.made) this.#protect(key, entry);
    return entry;
  }

  #protect(key: string, entry: Entry<T>): void {
    this.#takeOut(key, entry);
    this.#protected.add(key, entry);
    for (const [oldKey, old] of this.#protected.entries) {
      if (this.#protected.weight <= PROTECTED_SHARE * this.#bounds.capacity) return;
      this.#protected.remove(oldKey, old);
      this.#probation.add(oldKey, old);
    }
  }

  #finish(key: string, entry: Entry<T>, value: T): void {
    if (!this.#probation.remove(key, entry)) return;
    const weight = this.#bounds.weigh(key, value);
    if (weight === null || weight > this.#bounds.capacity) return;
    entry.made = { value, weight };
    this.#probation.add(key, entry);
    for (const { entries } of [this.#probation, this.#protected]) {
      for (const [oldKey, old] of entries) {
        if (this.weight <= this.#bounds.capacity) return;
        // One that is being made weighs nothing yet.
        if (old.made && old !== entry) this.#takeOut(oldKey, old);
      }
    }
  }

  #takeOut(key: string, entry: Entry<T>): void {
    if (!this.#probation.remove(key, entry)) this.#protected.remove(key, entry);
  }
}
