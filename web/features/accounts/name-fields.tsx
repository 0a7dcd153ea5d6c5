import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

interface NameFieldsProps {
  first: UseFormRegisterReturn;
  last: UseFormRegisterReturn;
  errors: Partial<Record<'first_name' | 'last_name', { message?: string | undefined }>>;
}

/** The first and the last name of a person. */
export function NameFields({ first, last, errors }: NameFieldsProps) {
  return (
    <>
      <Field label="First name" error={errors.first_name?.message}>
        {(control) => <TextInput {...control} {...first} autoComplete="given-name" />}
      </Field>
      <Field label="Last name" error={errors.last_name?.message}>
        {(control) => <TextInput {...control} {...last} autoComplete="family-name" />}
      </Field>
    </>
  );
}
