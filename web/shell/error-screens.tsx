import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { buttonClass } from '#web/ui/button.tsx';

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

interface UnexpectedErrorProps {
  error: unknown;
}

function FailedCallScreen({ message }: { message: string }) {
  return (
    <div className="page-width py-24" role="alert">
      <h1 className="font-display text-3xl">This page could not be loaded.</h1>
      <p className="mt-4 max-w-measure text-ink-soft">{message}</p>
      <button
        type="button"
        className={buttonClass('primary', 'md', 'mt-8')}
        onClick={() => window.location.reload()}
      >
        Try again
      </button>
    </div>
  );
}

/** Shows nothing of the error, which is only in the log, except why an API call failed. */
export function UnexpectedErrorScreen({ error }: UnexpectedErrorProps) {
  if (error instanceof ApiError) return <FailedCallScreen message={error.message} />;
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
