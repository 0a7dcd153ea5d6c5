import { TIME_OUTS } from '#server/time-outs.ts';

/** What the public reads, as the database's `changed` triggers name it. */
export const TOPICS = ['employers', 'position_titles', 'reviews', 'votes'] as const;
export type Topic = (typeof TOPICS)[number];

interface Entry<T> {
  readonly topics: readonly Topic[];
  readonly until: number;
  readonly making: Promise<T>;
  /** What came of it: not there while it is being made. */
  made?: { readonly value: T; readonly weight: number };
  /** Asked for since it came to be the next to give way. */
  isUsed: boolean;
}

interface Bounds<T> {
  /** What all values together may weigh: those that nobody asks for give way. */
  readonly capacity: number;
  /** What a value weighs; null for one that is not to be kept. */
  weigh(key: string, value: T): number | null;
}

/**
 * Values by key, each made from topics. A change takes out all that was made from its topic,
 * finished or still being made: whatever is in here is as if it were made now.
 */
export class FreshCache<T> {
  readonly #bounds: Bounds<T>;
  // A Map keeps the order in which keys were put in: the first is the next to give way.
  readonly #entries = new Map<string, Entry<T>>();
  #weight = 0;
  #isHearing = false;

  constructor(bounds: Bounds<T>) {
    this.#bounds = bounds;
  }

  /** What all that is kept weighs. */
  get weight(): number {
    return this.#weight;
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
    const entry: Entry<T> = { topics, until, making, isUsed: false };
    this.#entries.set(key, entry);
    making.then(
      (value) => this.#finish(key, entry, value),
      () => this.#takeOut(key, entry),
    );
    return making;
  }

  /** Takes out what was made from these. */
  changed(topics: readonly string[]): void {
    for (const [key, entry] of this.#entries) {
      if (entry.topics.some((topic) => topics.includes(topic))) this.#takeOut(key, entry);
    }
  }

  /** Whether changes are heard of. As long as they are not, nothing is kept. */
  hear(isHearing: boolean): void {
    this.#isHearing = isHearing;
    this.#entries.clear();
    this.#weight = 0;
  }

  #use(key: string): Entry<T> | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return;
    if (entry.until <= Date.now()) {
      this.#takeOut(key, entry);
      return;
    }
    entry.isUsed = true;
    return entry;
  }

  #finish(key: string, entry: Entry<T>, value: T): void {
    if (this.#entries.get(key) !== entry) return;
    const weight = this.#bounds.weigh(key, value);
    if (weight === null || weight > this.#bounds.capacity) {
      this.#takeOut(key, entry);
      return;
    }
    entry.made = { value, weight };
    this.#weight += weight;
    this.#makeRoomFor(entry);
  }

  /** What has been asked for goes to the back instead, and is spared this once. */
  #makeRoomFor(newest: Entry<T>): void {
    for (const [key, entry] of this.#entries) {
      if (this.#weight <= this.#bounds.capacity) return;
      if (entry === newest) continue;
      if (entry.isUsed) {
        entry.isUsed = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      } else {
        this.#takeOut(key, entry);
      }
    }
  }

  #takeOut(key: string, entry: Entry<T>): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.made?.weight ?? 0;
  }
}
