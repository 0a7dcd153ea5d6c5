import { SMALLEST_SHOWN } from '#contract/limits.ts';
import { addDays, toDay } from './coarse-time.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Reading {
  readonly labels?: Labels;
  readonly value: number;
}

export const roundDown = (value: number, step: number): number => Math.floor(value / step) * step;

const endOf = (day: string) => Date.parse(addDays(day, 1));

interface Count {
  readonly name: string;
  readonly labels: Labels;
  value: number;
}

/**
 * Counts what accounts do. A number that rises immediately would show that an account was active at
 * that moment. So a day's counts are shown after the day ends (UTC), rounded down to a multiple of
 * 5 (`SMALLEST_SHOWN`), until the next day ends.
 */
export class DayCounts {
  readonly #clock: () => Date;
  #day: string;
  /** When the day ends, in milliseconds: comparing days as text is slow. */
  #end: number;
  #counting = new Map<string, Count>();
  #shown: readonly Count[] = [];

  constructor(clock: () => Date) {
    this.#clock = clock;
    this.#day = toDay(clock());
    this.#end = endOf(this.#day);
  }

  add(name: string, labels: Labels = {}): void {
    this.#turn();
    const key = JSON.stringify([name, labels]);
    const count = this.#counting.get(key);
    if (count) count.value += 1;
    else this.#counting.set(key, { name, labels, value: 1 });
  }

  /** The rounded counts of the last complete day, without those that round to 0. */
  shown(name: string): Reading[] {
    this.#turn();
    return this.#shown.flatMap((count) => {
      const value = roundDown(count.value, SMALLEST_SHOWN);
      return count.name === name && value > 0 ? [{ labels: count.labels, value }] : [];
    });
  }

  /** The day that `shown` covers, as `YYYY-MM-DD`. */
  get shownDay(): string {
    this.#turn();
    return addDays(this.#day, -1);
  }

  #turn(): void {
    const now = this.#clock();
    // A clock that was set back must not end the day twice.
    if (now.getTime() < this.#end) return;
    const today = toDay(now);
    this.#shown = addDays(this.#day, 1) === today ? [...this.#counting.values()] : [];
    this.#counting = new Map();
    this.#day = today;
    this.#end = endOf(today);
  }
}

/** The largest value of the day (UTC). Does not fall when something is removed. */
export class DayMaximum {
  readonly #clock: () => Date;
  #day = '';
  #value = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** Includes the current value, and returns the largest one today. */
  include(value: number): number {
    const today = toDay(this.#clock());
    if (today > this.#day) [this.#day, this.#value] = [today, 0];
    this.#value = Math.max(this.#value, value);
    return this.#value;
  }
}
