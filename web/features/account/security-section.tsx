import { useState } from 'react';
import type { User } from '#contract/accounts.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { FAILURES } from './failures.ts';
import { ProfileSection } from './profile-section.tsx';

type ResetState = 'idle' | 'busy' | 'sent' | 'failed';

/** A new password goes by the same mail as a forgotten one. */
export function SecuritySection({ user }: { user: User }) {
  const [state, setState] = useState<ResetState>('idle');

  async function sendReset() {
    setState('busy');
    try {
      await api.post(apiPaths.passwordReset(), { email: user.email });
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
        you out everywhere.
      </p>
      {state === 'sent' && (
        <Banner tone="success">
          Password reset email sent! Check your inbox for instructions.
        </Banner>
      )}
      {state === 'failed' && <Banner tone="error">{FAILURES.profileReset}</Banner>}
      <Button
        variant="secondary"
        className="self-start"
        busy={state === 'busy'}
        onClick={sendReset}
      >
        {state === 'busy' ? 'Sending...' : 'Reset Password'}
      </Button>
    </ProfileSection>
  );
}
