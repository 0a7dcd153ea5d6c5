import { useState } from 'react';
import { ACCOUNT_MESSAGES, type User } from '#contract/accounts.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';
import { FAILURES } from './failures.ts';
import { ProfileSection } from './profile-section.tsx';
import { useEditing } from './use-editing.ts';
import { useAccountWrite } from './write-account.ts';

type ResetState = 'idle' | 'sent' | 'failed';

/** A new password: by the same mail as a forgotten one, or with the present one, here. */
export function SecuritySection({ user }: { user: User }) {
  const [state, setState] = useState<ResetState>('idle');
  const { mode, setMode, opener } = useEditing();

  const { send, isBusy } = useAccountWrite('requestPasswordReset', (outcome) =>
    setState('ok' in outcome ? 'sent' : 'failed'),
  );

  function sendReset() {
    setState('idle');
    void send({ body: { email: user.email } });
  }

  return (
    <ProfileSection title="Security">
      <p className="text-ink-soft">
        To choose a new password, have a link sent to your e-mail address. It works once, and signs
        you out everywhere. If you know the present one, you can change it here.
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
            // The link that may have been sent works no longer.
            setState('idle');
            setMode('saved');
          }}
          onCancel={() => setMode('cancelled')}
        />
      )}
    </ProfileSection>
  );
}
