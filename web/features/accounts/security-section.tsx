import { useState } from 'react';
import { ACCOUNT_MESSAGES, type User } from '#contract/accounts.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { profileWrites } from './account-writes.ts';
import { ChangePasswordForm } from './change-password-form.tsx';
import { useEditing } from './editing.tsx';
import { FAILURES } from './failures.ts';
import { ProfileSection } from './profile-section.tsx';

type ResetState = 'idle' | 'sent' | 'failed';

/** Changes the password: by a link in an email, or here with the current password. */
export function SecuritySection({ user }: { user: User }) {
  const [state, setState] = useState<ResetState>('idle');
  const { mode, setMode, opener } = useEditing();

  const { send, isBusy } = useWrite(profileWrites, 'sendResetLink', (outcome) =>
    setState('ok' in outcome ? 'sent' : 'failed'),
  );

  function sendReset() {
    setState('idle');
    void send({ body: { email: user.email } });
  }

  return (
    <ProfileSection title="Security">
      <p className="text-ink-soft">
        To choose a new password, have a link sent to your email address. It works once, and signs
        you out everywhere. If you know your current password, you can change it here.
      </p>
      {mode === 'saved' && <Banner tone="success">{ACCOUNT_MESSAGES.passwordChanged}</Banner>}
      {state === 'sent' && (
        <Banner tone="success">
          Password reset email sent! Check your inbox for instructions.
        </Banner>
      )}
      {state === 'failed' && <Banner tone="error">{FAILURES.profileReset}</Banner>}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" busy={isBusy} onClick={sendReset}>
          {isBusy ? 'Sending...' : 'Reset Password'}
        </Button>
        {mode !== 'editing' && (
          <Button ref={opener} variant="quiet" onClick={() => setMode('editing')}>
            Change password
          </Button>
        )}
      </div>
      {mode === 'editing' && (
        <ChangePasswordForm
          user={user}
          onChanged={() => {
            // A link that was sent before no longer works.
            setState('idle');
            setMode('saved');
          }}
          onCancel={() => setMode('cancelled')}
        />
      )}
    </ProfileSection>
  );
}
