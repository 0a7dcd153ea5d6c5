import { useEffect } from 'react';
import { type MiddlewareFunction, useLocation, useMatches, useNavigate } from 'react-router';
import { isUnreachable } from '#web/lib/transport-error.ts';

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
