import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import type { VerificationMode } from '#contract/verification.ts';
import { VerificationModeContext } from './lib/render-context.ts';
import { session } from './lib/session.ts';
import { stopNotingPresses } from './shell/early-presses.ts';
import { trustReact } from './shell/trusted-html.ts';
import { limitTyping } from './ui/typing-limit.ts';

/** Earlier versions of the site installed service workers. */
async function unregisterBackgroundWorkers(): Promise<void> {
  const workers = await navigator.serviceWorker?.getRegistrations();
  await Promise.all((workers ?? []).map((worker) => worker.unregister()));
}

const mode = document.documentElement.dataset['verification'] as VerificationMode;
trustReact(window as object);
session.start();
stopNotingPresses();
limitTyping(document);
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
void unregisterBackgroundWorkers();
