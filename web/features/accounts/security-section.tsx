import { useState } from 'react';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import type { User } from '#contract/accounts.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { profileWrites } from './account-writes.ts';
import { ChangePasswordForm } from './change-password-form.tsx';
import { useEditing } from './editing.tsx';
import { FAILURES } from './failures.ts';
import { ProfileSection } from './profile-section.tsx';

export function SecuritySection({ user }: { user: User }) {
  const { mode, setMode, opener } = useEditing();
  // A link that was sent before the password changed no longer works.
  const [isOutdated, setOutdated] = useState(false);
  const { send, isBusy, isDone, error } = useWrite(profileWrites, 'sendResetLink');

  function sendLink() {
    setOutdated(false);
    void send({ body: { email: user.email } });
  }

  return (
    <ProfileSection title="Security">
      {mode === 'saved' && <Banner tone="success">{ACCOUNT_MESSAGES.passwordChanged}</Banner>}
      {isDone && !isOutdated && (
        <Banner tone="success">
          Password reset email sent! Check your inbox for instructions.
        </Banner>
      )}
      {error && !isOutdated && <Banner tone="error">{FAILURES.profileReset}</Banner>}
      <div className="grid gap-6 sm:grid-cols-2">
        <div>
          <Button variant="secondary" busy={isBusy} onClick={sendLink} aria-describedby="by-link">
            {isBusy ? 'Sending...' : 'Reset Password'}
          </Button>
          <p id="by-link" className="mt-2 text-sm text-ink-soft">
            We’ll email you a link that works once and signs you out everywhere.
          </p>
        </div>
        {mode !== 'editing' && (
          <div>
            <Button
              ref={opener}
              variant="secondary"
              onClick={() => setMode('editing')}
              aria-describedby="by-password"
            >
              Change password
            </Button>
            <p id="by-password" className="mt-2 text-sm text-ink-soft">
              If you know your current password, you can change it here.
            </p>
          </div>
        )}
      </div>
      {mode === 'editing' && (
        <ChangePasswordForm
          user={user}
          onChanged={() => {
            setOutdated(true);
            setMode('saved');
          }}
          onCancel={() => setMode('canceled')}
        />
      )}
    </ProfileSection>
  );
}
