import type { Page } from '#contract/paging.ts';
import { type Answer, listFailure } from './pages.ts';

/** Requests one list at a time, once its form has not changed for `ms`. */
export function createPacedRequest(ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rest: { promise: Promise<void>; resolve: () => void } | null = null;
  let latest = new AbortController();

  function hurry(): void {
    clearTimeout(timer);
    rest?.resolve();
    rest = null;
  }

  return {
    /** Ends the wait, because the form was submitted. */
    hurry,

    /** Resolves when the next request starts: at once, unless the form has just changed. */
    started: async (): Promise<void> => rest?.promise,

    noteChange(): void {
      clearTimeout(timer);
      timer = setTimeout(hurry, ms);
      rest ??= newRest();
    },

    /** Aborts the previous request, whose promise then never settles. */
    async ask<T>(fetchPage: (signal: AbortSignal) => Promise<Page<T>>): Promise<Answer<T>> {
      latest.abort();
      latest = new AbortController();
      const { signal } = latest;
      try {
        await rest?.promise;
        signal.throwIfAborted();
        return { pages: [await fetchPage(signal)], failure: null };
      } catch (error) {
        if (signal.aborted) return new Promise(() => undefined);
        return { pages: [], failure: listFailure(error) };
      }
    },
  };
}

/** As `Promise.withResolvers`, which browsers before 2024 do not have. */
function newRest() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
