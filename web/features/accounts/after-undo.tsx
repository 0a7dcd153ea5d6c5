import { useEffect } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { followAccount } from './open-email-link.ts';

/** The address is safe, but whoever asked for the change may know the password. */
export function AfterUndo() {
  // Not in the loader: signing out would run that again, and the link works once.
  useEffect(() => void followAccount(), []);

  return (
    <>
      <p className="text-ink-soft">
        Every device has been signed out. Whoever asked for the change may know your password, or
        may have set a new one. Choose a new password now: we send the link to your email address.
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
