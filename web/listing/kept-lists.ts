import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { keepScroll } from '#web/lib/scroll.ts';

/** Lists with all their pages, by the key of their history entry, for the Back button. */
const kept = new Map<string, unknown>();

interface Entry {
  /** What React Router stores with a history entry, unless a link to a place on the page made it. */
  key?: string;
  idx?: number;
  /** How many pages the list has, and where the reader is, for a reload. */
  pages?: number;
  top?: number;
}

const state = () => window.history.state as Entry | null;
const entry = (): Entry => state() ?? {};
function note(change: Pick<Entry, 'pages' | 'top'>): void {
  if (state()) window.history.replaceState({ ...entry(), ...change }, '');
}

/** The lists on the page, by the same key. */
const shown = new Map<string, () => unknown>();

/** The entry that Back or Forward led to, until its list is taken. */
let returnedTo: string | undefined;
/** Undefined on an entry that is not React Router's: Back never led there with a list. */
const keyHere = () => (state() ? (entry().key ?? 'default') : undefined);
globalThis.window?.addEventListener(
  'popstate',
  () => {
    returnedTo = keyHere();
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
    // The entry of a link to a place on the page has the key of the first entry.
    if (!state()) return;
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
  const key = keyHere();
  const isBack = returnedTo === key;
  returnedTo = undefined;
  if (key === undefined) return undefined;
  if (isBack) keepShown(key);
  const list = kept.get(key);
  kept.delete(key);
  return list as T | undefined;
}

/** A history entry may be written about 100 times in 30 seconds. */
const KEEP_AFTER_MS = 400;

/**
 * Appends a page with `loadMore`. After a reload, appends as many as there were, and returns to where
 * the reader was, unless the reader moves meanwhile.
 */
export function useMorePages(
  loadMore: () => Promise<string | null>,
  loaded: () => number,
): () => Promise<string | null> {
  const restore = useEffectEvent(async (isMoved: () => boolean) => {
    const { pages = 1, top = 0 } = entry();
    if (loaded() === 0) return;
    while (loaded() < pages) {
      if (isMoved() || (await loadMore()) === null) return;
      if (loaded() >= pages && !isMoved()) window.scrollTo({ top, behavior: 'instant' });
    }
  });
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    let isMoved = false;
    for (const move of ['pointerdown', 'wheel', 'keydown']) {
      const stop = () => {
        isMoved = true;
      };
      window.addEventListener(move, stop, { signal, once: true, passive: true });
    }
    // Not on `pagehide`: browsers drop what a page stores in its entry while it is unloaded.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keepTop = () => (entry().pages ?? 1) > 1 && note({ top: window.scrollY });
    const keepSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(keepTop, KEEP_AFTER_MS);
    };
    window.addEventListener('scroll', keepSoon, { signal, passive: true });
    void restore(() => isMoved || signal.aborted);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, []);
  return async () => {
    const key = keyHere();
    const first = await loadMore();
    // By now, the reader may be elsewhere.
    if (first !== null && keyHere() === key) note({ pages: loaded() });
    return first;
  };
}
