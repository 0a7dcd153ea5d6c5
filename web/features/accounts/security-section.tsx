import { useState } from 'react';
import { ACCOUNT_MESSAGES, type User } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';
import { FAILURES } from './failures.ts';
import { ProfileSection } from './profile-section.tsx';
import { useEditing } from './use-editing.ts';

type ResetState = 'idle' | 'busy' | 'sent' | 'failed';

/** A new password: by the same mail as a forgotten one, or with the present one, here. */
export function SecuritySection({ user }: { user: User }) {
  const [state, setState] = useState<ResetState>('idle');
  const { mode, setMode, opener } = useEditing();

  async function sendReset() {
    setState('busy');
    try {
      await api.call(accountEndpoints.requestPasswordReset, { body: { email: user.email } });
      setState('sent');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState('failed');
    }
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
        <Button variant="secondary" busy={state === 'busy'} onClick={sendReset}>
          {state === 'busy' ? 'Sending...' : 'Reset Password'}
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
