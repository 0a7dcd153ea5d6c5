import { Combobox, type ComboboxProps } from '#web/ui/combobox.tsx';
import { Field } from '#web/ui/field.tsx';

interface SearchFieldProps extends Omit<ComboboxProps, 'id'> {
  label: string;
  hint?: string;
  isInvalid: boolean;
  error?: string | undefined;
}

/** A required text box with suggestions. */
export function SearchField({ label, hint, isInvalid, error, ...box }: SearchFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Combobox {...control} {...box} required aria-invalid={isInvalid || undefined} />
      )}
    </Field>
  );
}
