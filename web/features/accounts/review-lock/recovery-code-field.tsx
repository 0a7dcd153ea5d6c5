import type { ComponentPropsWithRef } from 'react';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';

interface RecoveryCodeFieldProps extends ComponentPropsWithRef<'textarea'> {
  hint?: string;
  error: string | undefined;
}

/** Two lines, so that a phone shows all of it. No browser or keyboard is to remember it. */
export function RecoveryCodeField({ hint, error, ...input }: RecoveryCodeFieldProps) {
  return (
    <Field label="Recovery code" hint={hint} error={error}>
      {(control) => (
        <TextArea
          {...control}
          {...input}
          rows={2}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          className="resize-none font-code"
        />
      )}
    </Field>
  );
}
