import { useEffect, useRef, useState } from 'react';
import {
  type MiddlewareFunction,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useNavigationType,
} from 'react-router';
import { SCROLL_REPEAT_MS } from '#contract/limits.ts';
import { keptScroll, leadsToOtherPage, scrollLater, scrollsItself } from '#web/lib/scroll.ts';
import { isUnreachable } from '#web/lib/transport-error.ts';
import { repeatEarlyPresses } from './early-presses.ts';

export const MAIN_ID = 'main';

/**
 * Imitates a page load on route changes: scrolls to the top (and once more, `SCROLL_REPEAT_MS`
 * later, unless the user has pressed something by then), moves focus to the content, and announces
 * the page. Going back restores the scroll position on pages that keep it. A link to a section
 * scrolls to that section. Another page of a list counts as another route; filters and orders do
 * not.
 */
export function RouteEffects() {
  const { pathname, hash, key, state } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const turned = !isReturn && leadsToOtherPage(state) ? key : null;
  const isOnItsOwn = !isReturn && scrollsItself(state);
  const place = useRef(0);
  const firstKey = useRef(key);
  const shown = useRef(pathname);
  const sectionId = useRef('');
  const [announcement, setAnnouncement] = useState('');
  const isLoading = useNavigation().state === 'loading';

  useEffect(repeatEarlyPresses, []);

  useEffect(() => {
    place.current = isReturn ? keptScroll(key) : 0;
    sectionId.current = isReturn ? '' : hash.slice(1);
  }, [isReturn, key, hash]);

  useEffect(() => {
    if (key === firstKey.current) return;
    // These elements describe the first page (web/features/site/discovery/page-head.tsx).
    for (const element of document.querySelectorAll('[data-page-head]')) element.remove();
  }, [key]);

  useEffect(() => {
    if (shown.current === pathname && turned === null) return;
    shown.current = pathname;
    setAnnouncement(document.title);
    if (isOnItsOwn) return;
    const top = place.current;
    const section = document.getElementById(sectionId.current);
    const toPlace = () =>
      section
        ? section.scrollIntoView({ behavior: 'instant' })
        : window.scrollTo({ top, behavior: 'instant' });
    toPlace();
    const cancel = scrollLater(toPlace, SCROLL_REPEAT_MS);
    (section ?? document.getElementById(MAIN_ID))?.focus({ preventScroll: true });
    return cancel;
  }, [pathname, turned, isOnItsOwn]);

  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {isLoading && (
        <span
          aria-hidden
          className="fixed inset-x-0 top-0 z-20 h-0.5 animate-pulse bg-accent starting:opacity-0 transition-opacity delay-150"
        />
      )}
    </>
  );
}

/** The page that was shown last, in memory, so that the reader can return to it without a network. */
interface LastPage {
  url: string;
  /** Its place in the history. */
  place: number;
  /** The loader data of its routes. */
  data: Readonly<Record<string, unknown>>;
  /** False once an error screen has replaced it. */
  isShown: boolean;
}

let lastPage: LastPage | null = null;

/** The `handle` of a page whose script did not load (vite.config.ts). */
const NOT_LOADED = 'not-loaded';

const placeInHistory = () => (history.state as { idx?: number } | null)?.idx ?? 0;

/** Part of every page, but of no error screen. Returns false if its script did not load. */
export function useKeptPage(): boolean {
  const matches = useMatches();
  const { pathname, search } = useLocation();
  const isLoaded = matches.at(-1)?.handle !== NOT_LOADED;
  useEffect(() => {
    if (!isLoaded) return;
    const page = {
      url: new URL(pathname + search, location.origin).href,
      place: placeInHistory(),
      data: Object.fromEntries(matches.map(({ id, loaderData }) => [id, loaderData])),
      isShown: true,
    };
    lastPage = page;
    return () => {
      page.isShown = false;
    };
  }, [matches, pathname, search, isLoaded]);
  return isLoaded;
}

type Results = Record<string, { type: 'data' | 'error'; result: unknown }>;

/** If the way back to the last page finds no network, the page appears as it was. */
export const restoreLastPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next();
  const { url, data, isShown } = lastPage ?? {};
  if (url !== request.url || isShown) return results;
  for (const [id, { type, result }] of Object.entries(results)) {
    if (type === 'error' && isUnreachable(result))
      results[id] = { type: 'data', result: data?.[id] };
  }
  return results;
};

/** Returns to the last page; null if this document has shown none. */
export function useWayBack(): (() => void) | null {
  const navigate = useNavigate();
  if (!lastPage) return null;
  const { url, place } = lastPage;
  return () => {
    const steps = place - placeInHistory();
    // The failed navigation may have replaced the last page in the history.
    void (steps === 0
      ? navigate(url.slice(location.origin.length), { replace: true })
      : navigate(steps));
  };
}
