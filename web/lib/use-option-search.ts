import { useEffect, useRef, useState } from 'react';
import { OPTION_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { ApiError } from './transport-error.ts';

interface OptionSearch<T> {
  /** The text that the results are for. Empty before the first search. */
  term: string;
  results: readonly T[];
  status: 'idle' | 'searching' | 'done' | 'failed';
}

/** Shown above results that match only approximately. */
export const NO_EXACT_MATCH = 'No exact match. Closest:';

const NOTHING = { term: '', results: [], status: 'idle' } as const;

/**
 * Searches for options when the user pauses typing (docs/product.md, "Search boxes"). Each term is
 * requested once. A result that arrives after more typing is dropped.
 */
export function useOptionSearch<T>(
  ask: (term: string, signal: AbortSignal) => Promise<readonly T[]>,
) {
  const [found, setFound] = useState<OptionSearch<T>>(NOTHING);
  const cache = useRef(new Map<string, readonly T[]>());
  const running = useRef<AbortController>(null);

  useEffect(() => () => running.current?.abort(), []);

  async function fetchOptions(term: string, signal: AbortSignal) {
    try {
      const results = await ask(term, signal);
      cache.current.set(term, results);
      setFound({ term, results, status: 'done' });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setFound({ term, results: [], status: 'failed' });
    }
  }

  function search(text: string) {
    running.current?.abort();
    const term = text.trim();
    const cached = cache.current.get(term);
    if (term === '') return setFound(NOTHING);
    if (cached) return setFound({ term, results: cached, status: 'done' });
    setFound(({ results }) => ({ term, results, status: 'searching' }));
    running.current = new AbortController();
    const { signal } = running.current;
    const timer = setTimeout(() => void fetchOptions(term, signal), OPTION_SEARCH_DEBOUNCE_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  return { ...found, search };
}
