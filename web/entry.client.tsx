import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import type { VerificationMode } from '#contract/verification.ts';
import { VerificationModeContext } from './lib/render-context.ts';
import { session } from './lib/session.ts';
import { fetchAheadOnUse } from './shell/fetch-ahead.ts';
import { trustReact } from './shell/trusted-html.ts';

declare global {
  interface Window {
    hydratePage?: () => void;
  }
}

/**
 * Called once all modules of the page are there (web/start-script.ts). Running this module is too
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
