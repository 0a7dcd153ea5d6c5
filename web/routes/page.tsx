import { isRouteErrorResponse, Outlet } from 'react-router';
import { NotFoundScreen, UnexpectedErrorScreen } from '#web/shell/error-screens.tsx';
import type { Route } from './+types/page.ts';

/** Around every page. */
export default function Page() {
  return <Outlet />;
}

/**
 * What goes wrong in a page shows in its place, and the frame of the site stays. Left to the root,
 * React would make the frame and the script in it anew, which Trusted Types forbid.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  return <UnexpectedErrorScreen />;
}
