import { type ReactNode, useEffect } from 'react';
import type { accountEndpoints } from '#contract/endpoints/account.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { api, session, settledSession } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { AccountScreen } from './account-screen.tsx';

interface LinkOutcome {
  isDone: boolean;
  text: string;
}

export async function openEmailLink(
  endpoint: (typeof accountEndpoints)['confirmEmail' | 'stopEmailChange'],
  request: Request,
): Promise<LinkOutcome> {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  try {
    const { message } = await api.call(endpoint, { body: { token } });
    return { isDone: true, text: message };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { isDone: false, text: error.message };
  }
}

/** Shows a signed-in user what the link changed, or signs them out if it ended their session. */
export async function reloadAccount(): Promise<void> {
  const { user } = await settledSession();
  if (user) await session.reload();
}

interface EmailLinkScreenProps {
  title: string;
  outcome: LinkOutcome;
  /** What to do next. By default, a link to the profile. */
  children?: ReactNode;
}

/** The result of opening a link from an email about a change of address. */
export function EmailLinkScreen({ title, outcome, children }: EmailLinkScreenProps) {
  return (
    <AccountScreen title={title}>
      <Banner tone={outcome.isDone ? 'success' : 'error'}>{outcome.text}</Banner>
      {children || (
        <Link to={paths.profile()} className={buttonClass('primary', 'md', 'self-start')}>
          Go to my profile
        </Link>
      )}
    </AccountScreen>
  );
}

/** The address is safe, but the person who asked for the change may know the password. */
export function AfterUndo() {
  // Not in the loader, because signing out would run it again, and the link works only once.
  useEffect(() => void reloadAccount(), []);

  return (
    <>
      <p className="text-ink-soft">
        Every device has been signed out. Whoever asked for the change may know your password or may
        have set a new one. Choose a new password now. We’ll email you a link.
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.forgotPassword()} className={buttonClass('primary')}>
          Reset your password
        </Link>
        <Link to={paths.login()} className={buttonClass('secondary')}>
          Log in
        </Link>
      </div>
    </>
  );
}
