import type { ReactNode } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { pathAfterSignIn, readAfterSignIn } from '#web/lib/after-sign-in.ts';
import { useSession } from '#web/lib/session.ts';
import { LoadingNotice } from '#web/ui/spinner.tsx';

/**
 * Around the sign-in screens: whoever is signed in, by this form or in another tab, goes on to
 * where they were going.
 */
export function SignInGate({ children }: { children: ReactNode }) {
  const [search] = useSearchParams();
  const { user, isLoading } = useSession();
  if (user) {
    return (
      <>
        <LoadingNotice />
        <Navigate to={pathAfterSignIn(readAfterSignIn(search))} replace />
      </>
    );
  }
  // Until the account is loaded, nobody who has one sees the form.
  return <div className={isLoading ? 'signed-in:hidden' : undefined}>{children}</div>;
}
