import { lazy, Suspense } from 'react';
import { isRouteErrorResponse, Outlet } from 'react-router';
import { joined } from '#web/lib/session.ts';
import { useStore } from '#web/lib/store.ts';
import {
  NotFoundScreen,
  NotLoadedScreen,
  UnexpectedErrorScreen,
} from '#web/shell/error-screens.tsx';
import { restoreLastPage, useKeptPage } from '#web/shell/last-page.tsx';
import type { Route } from './+types/page.ts';

const JoinedNotice = lazy(async () => ({
  default: (await import('#web/features/accounts/joined-notice.tsx')).JoinedNotice,
}));

export const clientMiddleware = [restoreLastPage];

/** Its own component, because it renders again on every change of the router. */
const LastPage = () => (useKeptPage() ? null : <NotLoadedScreen />);

/** Wraps every page. */
export default function Page() {
  const hasJoined = useStore(joined, Boolean);
  return (
    <>
      {hasJoined && (
        <Suspense>
          <JoinedNotice />
        </Suspense>
      )}
      <Outlet />
      <LastPage />
    </>
  );
}

/**
 * Shows a page's error in its place and keeps the frame of the site. At the root, React would render
 * the frame and its inline script again, which Trusted Types forbid.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  return <UnexpectedErrorScreen error={error} />;
}
