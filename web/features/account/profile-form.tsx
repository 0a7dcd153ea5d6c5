import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import type { ProfileUpdateRequest, User } from '#contract/accounts.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { api, session } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { profileFailure } from './failures.ts';

interface ProfileFormProps {
  user: User;
  onSaved: () => void;
  onCancel: () => void;
}

/**
 * Begins with what is stored; leaving it forgets what was typed. The browser checks that the
 * address looks like one, and the server all else (specification, section 5, "Profile edit").
 */
export function ProfileForm({ user, onSaved, onCancel }: ProfileFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm<ProfileUpdateRequest>({
    defaultValues: {
      first_name: user.first_name,
      last_name: user.last_name,
      email: user.email,
    },
  });
  const { errors, isSubmitting } = formState;

  useEffect(() => setFocus('first_name'), [setFocus]);

  const save = handleSubmit(async (changes) => {
    try {
      await api.patch<User>(apiPaths.userById(user.id), changes);
      await session.reload();
      onSaved();
    } catch (error) {
      setError('root', { message: profileFailure(error) });
    }
  });

  return (
    <form method="post" onSubmit={save} className="flex max-w-form flex-col gap-5">
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="First Name">
        {(control) => (
          <TextInput {...control} {...register('first_name')} autoComplete="given-name" />
        )}
      </Field>
      <Field label="Last Name">
        {(control) => (
          <TextInput {...control} {...register('last_name')} autoComplete="family-name" />
        )}
      </Field>
      <Field
        label="Email Address"
        hint="A new address takes effect once you open the link we send to it."
      >
        {(control) => (
          <TextInput {...control} {...register('email')} type="email" autoComplete="email" />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSubmitting}>
          {isSubmitting ? 'Saving...' : 'Save Changes'}
        </Button>
        <Button variant="secondary" disabled={isSubmitting} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
