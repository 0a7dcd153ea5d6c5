import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ProfileUpdateRequest, User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { ConfirmPasswordField } from './confirm-password-field.tsx';
import { asksForPassword, fieldFailures, profileFailure } from './failures.ts';
import { NameNote } from './name-note.tsx';
import { useAccountWrite } from './write-account.ts';

interface ProfileFormProps {
  user: User;
  doctor: Doctor | null;
  onSaved: () => void;
  onCancel: () => void;
}

/**
 * Begins with what is stored; leaving it forgets what was typed. The browser checks that the
 * address looks like one, and the server all else.
 */
export function ProfileForm({ user, doctor, onSaved, onCancel }: ProfileFormProps) {
  const noteId = useId();
  const [isConfirming, setConfirming] = useState(false);
  const { register, handleSubmit, setError, setFocus, watch, formState } =
    useForm<ProfileUpdateRequest>({
      defaultValues: {
        first_name: user.first_name,
        last_name: user.last_name,
        email: user.email,
      },
    });
  const { errors } = formState;
  const [first_name = '', last_name = ''] = watch(['first_name', 'last_name']);

  useEffect(() => setFocus(isConfirming ? 'password' : 'first_name'), [isConfirming, setFocus]);

  const { send, isBusy } = useAccountWrite('update', (outcome) => {
    if ('ok' in outcome) return onSaved();
    const { error } = outcome;
    const [wrongPassword] = fieldFailures(error).filter(([field]) => field === 'password');
    if (wrongPassword) setError('password', { message: wrongPassword[1] }, { shouldFocus: true });
    else if (!asksForPassword(error)) setError('root', { message: profileFailure(error) });
    else if (isConfirming) setFocus('password');
    else setConfirming(true);
  });
  const save = handleSubmit(({ password, ...changes }) =>
    send({ params: { id: user.id }, body: { ...changes, ...(password && { password }) } }),
  );

  return (
    <form method="post" onSubmit={save} className="flex max-w-form flex-col gap-5">
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="First Name">
        {(control) => (
          <TextInput
            {...control}
            aria-describedby={noteId}
            {...register('first_name')}
            autoComplete="given-name"
          />
        )}
      </Field>
      <Field label="Last Name">
        {(control) => (
          <TextInput
            {...control}
            aria-describedby={noteId}
            {...register('last_name')}
            autoComplete="family-name"
          />
        )}
      </Field>
      <NameNote
        id={noteId}
        verified={doctor?.verification.verified_name}
        typed={{ first_name, last_name }}
      />
      <Field
        label="Email Address"
        hint={`A new address takes effect once you open the link we send to it. For ${EMAIL_UNDO_DAYS} days after that, a link sent to the old address can undo it.`}
      >
        {(control) => (
          <TextInput {...control} {...register('email')} type="email" autoComplete="email" />
        )}
      </Field>
      {isConfirming && (
        <ConfirmPasswordField
          email={user.email}
          error={errors.password?.message}
          {...register('password')}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy}>
          {isBusy ? 'Saving...' : 'Save Changes'}
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
