import { useState } from 'react';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import type { User } from '#contract/accounts.ts';
import { PASSWORDS_DIFFER, PasswordChangeRequest } from '#contract/accounts.ts';
import { PASSWORD_RULES } from '#contract/password-rules.ts';
import { Form } from '#web/form/form.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { currentPassword, newPassword } from './account-fields.ts';
import { profileWrites } from './account-writes.ts';
import { useEditing } from './editing.ts';
import { FAILURES } from './failures.ts';
import { ProfileSection } from './profile-section.tsx';

interface ChangePasswordFormProps {
  user: User;
  onChanged: () => void;
  onCancel: () => void;
}

/** Sets a new password, given the current one. The current session and its tokens stay valid. */
function ChangePasswordForm({ user, onChanged, onCancel }: ChangePasswordFormProps) {
  const { send, error } = useWrite(profileWrites, 'changePassword', { onDone: onChanged });
  return (
    <Form
      schema={PasswordChangeRequest}
      fields={[
        currentPassword(user.email, { name: 'current_password', takesFocus: true }),
        ...newPassword(
          'new_password',
          ['New password', 'Confirm new password'],
          PASSWORD_RULES,
          PASSWORDS_DIFFER,
        ),
      ]}
      action={{ text: 'Change password', busyText: 'Changing...' }}
      error={error}
      onSubmit={(body) => send({ body })}
      onCancel={onCancel}
      form={{ className: 'flex max-w-form flex-col gap-5' }}
    >
      <p className="text-sm text-ink-soft">
        You’ll stay signed in here and be signed out everywhere else.
        {user.pending_email !== null && <span> This also cancels your pending email change.</span>}
      </p>
    </Form>
  );
}

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
