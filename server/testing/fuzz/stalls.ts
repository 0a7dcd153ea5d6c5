const TICK_MS = 10;

/**
 * Measures the longest turn of the event loop by the processor time of its own thread: how busy
 * the machine is does not matter. A turn here is what runs between two ticks of a timer.
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

  /** Begins anew, without what has been computed until now. */
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
