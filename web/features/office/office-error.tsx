import { isRouteErrorResponse } from 'react-router';
import { NotFoundScreen } from '#web/shell/error-screens.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

interface OfficeErrorProps {
  error: unknown;
  title?: string;
  /** What could not be loaded. */
  what?: string;
}

/**
 * Replaces a page of the office that failed to load. To anyone but an administrator, the page does
 * not exist.
 */
export function OfficeError({ error, title = 'Office', what = 'the office' }: OfficeErrorProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  return (
    <div className="page-width">
      <PageHeading title={title} />
      <Banner tone="error">
        {`Failed to load ${what}: ${error instanceof Error ? error.message : 'Unknown error'}`}
      </Banner>
    </div>
  );
}
