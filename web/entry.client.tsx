import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import type { VerificationMode } from '#contract/verification.ts';
import { VerificationModeContext } from './lib/render-context.ts';
import { session } from './lib/session.ts';

const mode = document.documentElement.dataset['verification'] as VerificationMode;
session.start();
startTransition(() => {
  hydrateRoot(
    document,
    <VerificationModeContext value={mode}>
      <HydratedRouter />
    </VerificationModeContext>,
  );
});
// Left behind by earlier versions of the site.
void navigator.serviceWorker
  ?.getRegistrations()
  .then((workers) => Promise.all(workers.map((worker) => worker.unregister())));
