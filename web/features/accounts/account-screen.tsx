import type { ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { pathAfterSignIn, readAfterSignIn } from '#web/lib/after-sign-in.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { isStorageBlocked, useHydrated } from '#web/lib/store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { NewTabLink } from '#web/ui/links.tsx';
import { LoadingNotice, NeedsScript } from '#web/ui/loading.tsx';

interface AccountScreenProps {
  title: string;
  lede?: ReactNode;
  children: ReactNode;
}

/** A screen with one form: its purpose on the left, the form on the right. */
export function AccountScreen({ title, lede, children }: AccountScreenProps) {
  return (
    <div className="page-width grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 pt-12 md:pt-16 lg:grid-cols-[1fr_minmax(0,var(--container-form))]">
      <header className="break-words">
        <h1 className="font-display text-3xl tracking-[-0.012em]">{title}</h1>
        {lede && <div className="mt-4 max-w-measure text-ink-soft">{lede}</div>}
      </header>
      <div className="curb-rule flex w-full max-w-form flex-col gap-6 pt-8">
        <NeedsScript
          what="form"
          className="border-l-3 border-control bg-sunken px-4 py-3 text-sm"
        />
        {children}
      </div>
    </div>
  );
}

/**
 * Wraps the login and sign-up screens. Redirects a user who has signed in, here or in another tab,
 * to their destination, with the navigation state.
 */
export function SignInGate({ children }: { children: ReactNode }) {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const { user, isLoading } = useSession();
  const isHydrated = useHydrated();
  if (user) {
    return (
      <>
        <LoadingNotice />
        <Navigate to={pathAfterSignIn(readAfterSignIn(search))} state={state} replace />
      </>
    );
  }
  return (
    <>
      {isHydrated && isStorageBlocked && (
        <div className="page-width pt-6">
          <Banner tone="error">
            Your browser blocks cookies and site data. To sign in, allow them for this site, and
            reload the page.
          </Banner>
        </div>
      )}
      {/* Hides the form while the account loads. */}
      <div className={isLoading ? 'signed-in:hidden' : undefined}>{children}</div>
    </>
  );
}

/** Links to the terms that the user accepts by `doing` something. They open in a new tab. */
export function Agreement({ doing }: { doing: string }) {
  return (
    <p className="text-xs text-ink-faint">
      By {doing}, you agree to our <NewTabLink to={paths.terms()}>Terms of Use</NewTabLink> and{' '}
      <NewTabLink to={paths.privacy()}>Privacy Policy</NewTabLink>.
    </p>
  );
}
