import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { keepScroll } from '#web/lib/scroll-positions.ts';

/** Lists with all their pages, by the key of their history entry, for the Back button. */
const kept = new Map<string, unknown>();

/** What React Router stores with a history entry. */
const entry = () => window.history.state as { key?: string; idx: number };

/** The lists on the page, by the same key. */
const shown = new Map<string, () => unknown>();

/** The entry that Back or Forward led to, until its list is taken. */
let returnedTo: string | undefined;
const keyOf = ({ key = 'default' }: { key?: string }) => key;
globalThis.window?.addEventListener(
  'popstate',
  () => {
    returnedTo = keyOf(entry());
  },
  // Runs before React Router's own listener, which runs the loaders.
  { capture: true },
);

function keepShown(key: string): void {
  const listOf = shown.get(key);
  if (!listOf) return;
  keepScroll(key, window.scrollY);
  const list = listOf();
  if (list !== null) kept.set(key, list);
}

/** Keeps the list and its scroll position when the user leaves this history entry. */
export function useKeepOnLeave(listOf: () => unknown): void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    const { idx } = entry();
    return () => {
      // A replaced entry has the same index, and nobody can go back to it.
      if (entry().idx === idx) return;
      keepShown(key);
    };
  }, [key]);
  // After the effect above, so that its cleanup still finds the list.
  useLayoutEffect(() => {
    shown.set(key, listOf);
    return () => {
      shown.delete(key);
    };
  }, [key, listOf]);
}

/**
 * For a `clientLoader`: the list of the history entry that Back returned to. On Back, the entry
 * changes before the loaders run; on a link, after. The list may still be on the page if the user
 * went back before the next page was shown.
 */
export function takeKeptList<T>(): T | undefined {
  const key = keyOf(entry());
  if (returnedTo === key) keepShown(key);
  const list = kept.get(key);
  kept.delete(key);
  returnedTo = undefined;
  return list as T | undefined;
}
