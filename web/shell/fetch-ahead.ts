/** The pages that most readers open next. */
const COMMON = ['landing', 'employers', 'employer', 'reviews', 'compare', 'create-review', 'login'];

/** After what the press itself loads. */
const DELAY_MS = 500;

interface Page extends Window {
  /** React Router's map of the scripts of each page. */
  __reactRouterManifest?: { routes: Record<string, { module: string; imports?: string[] }> };
}

/**
 * Puts the scripts of common pages into the browser's cache after the first press or key, so that
 * they open on a slow network, or on none. With `fetch`, because Safari lacks `rel=prefetch`.
 */
export function fetchAheadOnUse(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const used = new AbortController();
  for (const press of ['pointerdown', 'keydown']) {
    addEventListener(
      press,
      () => {
        used.abort();
        setTimeout(fetchAhead, DELAY_MS);
      },
      { signal: used.signal },
    );
  }
}

function fetchAhead(): void {
  const { routes = {} } = (window as Page).__reactRouterManifest ?? {};
  const scripts = COMMON.flatMap((page) => {
    const route = routes[`routes/${page}`];
    return route ? [route.module, ...(route.imports ?? [])] : [];
  });
  for (const script of new Set(scripts)) fetch(script, { priority: 'low' }).catch(() => {});
}
