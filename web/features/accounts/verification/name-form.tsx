import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { FirstName, LastName, type User } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { fieldFailures, profileFailure } from '#web/features/accounts/failures.ts';
import { api, session } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

const Names = z.strictObject({ first_name: FirstName, last_name: LastName });

interface NameFormProps {
  user: User;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

/** Corrects the name of an account that is not verified yet. */
export function NameForm({ user, onSaved, onCancel }: NameFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(Names),
    defaultValues: { first_name: user.first_name, last_name: user.last_name },
  });
  const { errors, isSubmitting } = formState;

  useEffect(() => setFocus('first_name'), [setFocus]);

  const save = handleSubmit(async (names) => {
    try {
      await api.call(accountEndpoints.update, { params: { id: user.id }, body: names });
    } catch (error) {
      const faults = fieldFailures(error).filter(([field]) => field in names);
      for (const [field, message] of faults) setError(field as keyof typeof names, { message });
      if (faults.length === 0) setError('root', { message: profileFailure(error) });
      return;
    }
    await session.reload();
    await onSaved();
  });

  return (
    <form method="post" noValidate onSubmit={save} className="flex max-w-form flex-col gap-5">
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="First name" error={errors.first_name?.message}>
        {(control) => (
          <TextInput {...control} {...register('first_name')} autoComplete="given-name" />
        )}
      </Field>
      <Field label="Last name" error={errors.last_name?.message}>
        {(control) => (
          <TextInput {...control} {...register('last_name')} autoComplete="family-name" />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSubmitting}>
          {isSubmitting ? 'Saving...' : 'Save and check again'}
        </Button>
        <Button variant="secondary" disabled={isSubmitting} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
