import { useEffect, useState } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { ApiError, isUnreachable, transportError } from '#web/lib/transport-error.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { useWayBack } from './last-page.tsx';

interface NotFoundProps {
  title?: string;
  children?: string;
}

export function NotFoundScreen({
  title = 'This page does not exist.',
  children = 'The address may be mistyped, or the page may have been removed.',
}: NotFoundProps) {
  return (
    <div className="page-width py-24">
      <p className="label-caps text-lg text-accent">Error 404</p>
      <h1 className="mt-3 font-display text-3xl">{title}</h1>
      <p className="mt-4 max-w-measure text-ink-soft">{children}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        <Link to={paths.reviews()} className={buttonClass()}>
          Browse reviews
        </Link>
        <Link to={paths.employers()} className={buttonClass('secondary')}>
          Find an employer
        </Link>
      </div>
    </div>
  );
}

interface LoadFailedProps {
  title?: string;
  error: unknown;
}

/** With a way to try again and a way back. Part of every page's script, for a page without network. */
export function LoadFailedScreen({
  title = 'This page could not be loaded.',
  error,
}: LoadFailedProps) {
  const [isBusy, setBusy] = useState(false);
  const goBack = useWayBack();

  async function retry() {
    setBusy(true);
    await reloadIfReachable();
    setBusy(false);
  }

  return (
    <div className="page-width py-24">
      <div role="alert">
        <h1 className="font-display text-3xl">{title}</h1>
        <p className="mt-4 max-w-measure text-ink-soft">{loadFailure(error)}</p>
      </div>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button busy={isBusy} onClick={retry}>
          Try again
        </Button>
        {goBack ? (
          <Button variant="secondary" onClick={goBack}>
            Go back
          </Button>
        ) : (
          <Link to={paths.home()} reloadDocument className={buttonClass('secondary')}>
            Back to the home page
          </Link>
        )}
      </div>
    </div>
  );
}

/**
 * Loads the document anew, because a script that failed to load fails for good. Without a network,
 * the browser would show its own error page.
 */
async function reloadIfReachable(): Promise<void> {
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => null);
  if (answer) location.reload();
}

/** For a page whose script did not load. It may be of an older version of the site. */
export function NotLoadedScreen() {
  useEffect(() => void reloadIfReachable(), []);
  return <LoadFailedScreen error={new ApiError(null)} />;
}

/** Why a page could not be loaded (docs/product.md, "Failed calls"). Null if the error is a bug. */
function loadFailure(error: unknown): string | null {
  if (error instanceof ApiError) return error.message;
  if (isUnreachable(error)) return transportError(null).message;
  if (!isRouteErrorResponse(error) || (error.status < 500 && error.status !== 429)) return null;
  return transportError({ status: error.status, retryAfter: null, body: null }).message;
}

/** Shows nothing of the error, which is only in the log, except why the page failed to load. */
export function UnexpectedErrorScreen({ error }: { error: unknown }) {
  if (loadFailure(error)) return <LoadFailedScreen error={error} />;
  return (
    <div className="page-width py-24" role="alert">
      <h1 className="font-display text-3xl">Unexpected Application Error!</h1>
      <p className="mt-4 max-w-measure text-ink-soft">
        Something went wrong on our side. Nothing you have written elsewhere is affected. Please
        reload the page. If that does not help, try again in a few minutes.
      </p>
      {/* A full page load, which discards the broken state. */}
      <Link to={paths.home()} reloadDocument className={buttonClass('primary', 'md', 'mt-8')}>
        Back to the home page
      </Link>
    </div>
  );
}
