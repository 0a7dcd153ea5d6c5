import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import type { VerificationMode } from '#contract/verification/verification.ts';
import { VerificationModeContext } from './lib/render-context.ts';
import { session } from './lib/session.ts';

interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML(html: string): string | null }): unknown;
}

/**
 * What React writes when it renders a page anew: new script elements, and a blank in those that have
 * run already.
 */
const WRITTEN_BY_REACT = ['<script></script>', ' '];

/**
 * The pages' policy refuses to write HTML (Trusted Types). React needs an exception to render a page
 * anew, which it does if an extension has changed the page before the scripts arrived.
 */
function trustReact(browser: { readonly trustedTypes?: TrustedTypes }): void {
  browser.trustedTypes?.createPolicy('default', {
    createHTML: (html) => (WRITTEN_BY_REACT.includes(html) ? html : null),
  });
}

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
function fetchAheadOnUse(): void {
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

declare global {
  interface Window {
    hydratePage?: () => void;
  }
}

/**
 * Called once all modules of the page are there (web/entry.server.tsx). Running this module is too
 * early: it shares its file with code that other modules import.
 */
window.hydratePage = () => {
  const mode = document.documentElement.dataset['verification'] as VerificationMode;
  trustReact(window as object);
  session.start();
  if (!('popover' in document.body)) void import('./shell/popover-fallback.ts');
  fetchAheadOnUse();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <VerificationModeContext value={mode}>
          <HydratedRouter />
        </VerificationModeContext>
      </StrictMode>,
    );
  });
};
