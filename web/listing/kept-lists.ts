import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { keepScroll } from '#web/lib/scroll-positions.ts';

/** Lists with all their pages, by the key of their history entry, for the Back button. */
const kept = new Map<string, unknown>();

/** What React Router stores with a history entry. */
const entry = () => window.history.state as { key?: string; idx: number };

/** Keeps the list and its scroll position when the user leaves this history entry. */
export function useKeepOnLeave(listOf: () => unknown): void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    const { idx } = entry();
    return () => {
      // A replaced entry has the same index, and nobody can go back to it.
      if (entry().idx === idx) return;
      keepScroll(key, window.scrollY);
      const list = listOf();
      if (list !== null) kept.set(key, list);
    };
  }, [key, listOf]);
}

/**
 * For a `clientLoader`: the list of the history entry that Back returned to. On Back, the entry
 * changes before the loaders run; on a link, after.
 */
export function takeKeptList<T>(): T | undefined {
  const { key = 'default' } = entry();
  const list = kept.get(key) as T | undefined;
  kept.delete(key);
  return list;
}
