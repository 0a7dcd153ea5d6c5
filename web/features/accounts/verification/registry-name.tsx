import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { FirstName, LastName, type User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { EditingButtons, useEditing } from '#web/features/accounts/editing.tsx';
import { profileFailure, showFailure } from '#web/features/accounts/failures.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

type FullName = NonNullable<Doctor['verification']['registry_name']>;

interface RegistryNameProps {
  user: User;
  registryName: FullName;
  onCorrected: () => void;
}

/** The registry's name beside the user's own name, which can be corrected here. */
export function RegistryName({ user, registryName, onCorrected }: RegistryNameProps) {
  const { mode, setMode, opener } = useEditing();
  return (
    <div className="flex flex-col gap-5">
      <h3 className="font-semibold">The two names differ</h3>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <NameOn term="Your account" name={user} />
        <NameOn term="The registry" name={registryName} />
      </dl>
      {mode === 'saved' && <Banner tone="success">Your name has been changed.</Banner>}
      {mode === 'editing' ? (
        <NameForm
          user={user}
          onSaved={() => {
            setMode('saved');
            onCorrected();
          }}
          onCancel={() => setMode('canceled')}
        />
      ) : (
        <>
          <p className="text-sm text-ink-soft">
            If the registry has an old name, update it there first, then check again.
          </p>
          <Button
            ref={opener}
            variant="secondary"
            className="self-start"
            onClick={() => setMode('editing')}
          >
            Correct my name
          </Button>
        </>
      )}
    </div>
  );
}

function NameOn({ term, name }: { term: string; name: FullName }) {
  return (
    <div className="min-w-0 border-l-3 border-rule pl-4">
      <dt className="label-caps text-ink-faint">{term}</dt>
      <dd className="text-lg wrap-anywhere">
        {name.first_name} {name.last_name}
      </dd>
    </div>
  );
}

const Names = z.strictObject({ first_name: FirstName, last_name: LastName });

interface NameFormProps {
  user: User;
  onSaved: () => void;
  onCancel: () => void;
}

/** Corrects the name of an account that is not verified yet. */
function NameForm({ user, onSaved, onCancel }: NameFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(Names),
    defaultValues: { first_name: user.first_name, last_name: user.last_name },
  });
  const { errors } = formState;

  useEffect(() => setFocus('first_name'), [setFocus]);

  const { send, isBusy } = useWrite(verificationWrites, 'correctName', {
    onDone: onSaved,
    onError: (error) =>
      showFailure(setError, error, ['first_name', 'last_name'], profileFailure(error)),
  });
  const save = handleSubmit((body) => send({ params: { id: user.id }, body }));

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
      <EditingButtons isBusy={isBusy} onCancel={onCancel}>
        {isBusy ? 'Saving...' : 'Save and check again'}
      </EditingButtons>
    </form>
  );
}
