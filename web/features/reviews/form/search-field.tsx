import { Combobox, type ComboboxProps } from '#web/ui/combobox.tsx';
import { Field } from '#web/ui/field.tsx';

interface SearchFieldProps extends Omit<ComboboxProps, 'id'> {
  label: string;
  hint?: string;
  isAtFault: boolean;
}

/** A required text box that suggests what is known, as one types. */
export function SearchField({ label, hint, isAtFault, ...box }: SearchFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Combobox {...control} {...box} required aria-invalid={isAtFault || undefined} />
      )}
    </Field>
  );
}
