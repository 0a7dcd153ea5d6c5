import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import {
  PASSWORD_RULES,
  PASSWORDS_DIFFER,
  PasswordChangeRequest,
  type User,
} from '#contract/accounts.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { fieldFailures } from './failures.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PasswordField, PasswordOwner } from './password-field.tsx';
import { useAccountWrite } from './write-account.ts';

const ChangeForm = z.extend(PasswordChangeRequest, { confirm_password: z.optional(z.string()) });

const isOfField = (fault: [string, string]): fault is [keyof PasswordChangeRequest, string] =>
  fault[0] in PasswordChangeRequest.shape;

interface ChangePasswordFormProps {
  user: User;
  onChanged: () => void;
  onCancel: () => void;
}

/** Sets a new password with the present one. The session that asks goes on, with its tokens. */
export function ChangePasswordForm({ user, onChanged, onCancel }: ChangePasswordFormProps) {
  const { register, handleSubmit, setError, setFocus, watch, formState } = useForm({
    resolver: zodResolver(ChangeForm),
  });
  // In this order: the first at fault gets the focus.
  const fields = {
    current_password: register('current_password'),
    new_password: register('new_password'),
    confirm_password: register('confirm_password'),
  };
  const { errors } = formState;
  const { new_password: password = '', confirm_password: confirmed = '' } = watch();
  const differ = password !== confirmed;

  useEffect(() => setFocus('current_password'), [setFocus]);

  const { send, isBusy } = useAccountWrite('changePassword', (outcome) => {
    if ('ok' in outcome) return onChanged();
    const faults = fieldFailures(outcome.error).filter(isOfField);
    faults.forEach(([field, message], place) => {
      setError(field, { message }, { shouldFocus: place === 0 });
    });
    if (faults.length === 0) setError('root', { message: outcome.error.message });
  });
  const change = handleSubmit(({ confirm_password: _, ...body }) => send({ body }));

  return (
    <form method="post" noValidate onSubmit={change} className="flex max-w-form flex-col gap-5">
      <p className="text-sm text-ink-soft">
        You stay signed in here, and are signed out everywhere else.
        {user.pending_email !== null && ' The change of your e-mail address is stopped.'}
      </p>
      <PasswordOwner email={user.email} />
      <PasswordField
        label="Current password"
        error={errors.current_password?.message}
        autoComplete="current-password"
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
      {/* On a phone the top of the form is out of sight from its buttons. */}
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} disabled={differ}>
          {isBusy ? 'Changing...' : 'Change password'}
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
