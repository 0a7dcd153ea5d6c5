import { isRouteErrorResponse, Outlet } from 'react-router';
import { NotFoundScreen, UnexpectedErrorScreen } from '#web/shell/error-screens.tsx';
import type { Route } from './+types/page.ts';

/** Wraps every page. */
export default function Page() {
  return <Outlet />;
}

/**
 * Shows a page's error in its place and keeps the frame of the site. At the root, React would render
 * the frame and its inline script again, which Trusted Types forbid.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  return <UnexpectedErrorScreen error={error} />;
}
