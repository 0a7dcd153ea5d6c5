/** Shorter than what any test compares with: on a fast machine a whole search takes 20 ms. */
const TICK_MS = 1;

/**
 * Measures the longest turn of the event loop in CPU time of its own thread, so a busy machine does
 * not matter. A turn is what runs between two ticks of a timer.
 */
export class TurnWatch {
  #last = cpuMs();
  #longest = 0;
  readonly #timer = setInterval(() => this.#tick(), TICK_MS);

  #tick(): void {
    const now = cpuMs();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }

  /** Restarts the measurement. */
  reset(): void {
    this.#last = cpuMs();
    this.#longest = 0;
  }

  /** The longest turn since `reset`, in ms. */
  longest(): number {
    this.#tick();
    return this.#longest;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
