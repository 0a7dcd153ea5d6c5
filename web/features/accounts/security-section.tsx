import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import type { User } from '#contract/accounts.ts';
import { PASSWORDS_DIFFER, PasswordChangeRequest } from '#contract/accounts.ts';
import { PASSWORD_RULES } from '#contract/password-rules.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { profileWrites } from './account-writes.ts';
import { EditingButtons, useEditing } from './editing.tsx';
import { FAILURES, showFailure } from './failures.ts';
import { CurrentPasswordField, NewPasswordField, PasswordField } from './password-fields.tsx';
import { ProfileSection } from './profile-section.tsx';

const ChangeForm = z.extend(PasswordChangeRequest, { confirm_password: z.optional(z.string()) });

interface ChangePasswordFormProps {
  user: User;
  onChanged: () => void;
  onCancel: () => void;
}

/** Sets a new password, given the current one. The current session and its tokens stay valid. */
function ChangePasswordForm({ user, onChanged, onCancel }: ChangePasswordFormProps) {
  const { register, handleSubmit, setError, setFocus, watch, formState } = useForm({
    resolver: zodResolver(ChangeForm),
  });
  // The order matters: the first invalid field gets the focus.
  const fields = {
    current_password: register('current_password'),
    new_password: register('new_password'),
    confirm_password: register('confirm_password'),
  };
  const { errors } = formState;
  const { new_password: password = '', confirm_password: confirmed = '' } = watch();
  const differ = password !== confirmed;

  useEffect(() => setFocus('current_password'), [setFocus]);

  const { send, isBusy } = useWrite(profileWrites, 'changePassword', {
    onDone: onChanged,
    onError: (error) =>
      showFailure(setError, error, ['current_password', 'new_password'], error.message),
  });
  const change = handleSubmit(({ confirm_password: _, ...body }) => send({ body }));

  return (
    <form method="post" noValidate onSubmit={change} className="flex max-w-form flex-col gap-5">
      <p className="text-sm text-ink-soft">
        You’ll stay signed in here and be signed out everywhere else.
        {user.pending_email !== null && <span> This also cancels your pending email change.</span>}
      </p>
      <CurrentPasswordField
        email={user.email}
        error={errors.current_password?.message}
        {...fields.current_password}
      />
      <NewPasswordField
        label="New password"
        rules={PASSWORD_RULES}
        typed={password}
        error={errors.new_password?.message}
        {...fields.new_password}
      />
      <PasswordField
        label="Confirm new password"
        error={differ && confirmed !== '' ? PASSWORDS_DIFFER : undefined}
        autoComplete="new-password"
        {...fields.confirm_password}
      />
      {/* On a phone, the top of the form may be off screen when the user taps a button. */}
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <EditingButtons isBusy={isBusy} disabled={differ} onCancel={onCancel}>
        {isBusy ? 'Changing...' : 'Change password'}
      </EditingButtons>
    </form>
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
