import { useLayoutEffect, useRef } from 'react';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** A field for a second-factor code. Takes the focus, even from the first button of a dialog. */
export function CodeField({ hint, error }: { hint: string; error: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // Wait until the dialog has opened.
    const frame = requestAnimationFrame(() => input.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Field label="Code" hint={hint} error={error}>
      {(control) => (
        <TextInput
          {...control}
          ref={input}
          name="code"
          autoComplete="one-time-code"
          maxLength={40}
        />
      )}
    </Field>
  );
}
