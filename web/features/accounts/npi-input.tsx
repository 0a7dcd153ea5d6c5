import type { ComponentPropsWithRef } from 'react';
import { NPI_DIGITS } from '#contract/limits.ts';
import { cleanNpi } from '#contract/npi.ts';
import { TextInput } from '#web/ui/text-input.tsx';

/** A text box for an NPI. Spaces, hyphens, and invisible characters go as they are pasted. */
export function NpiInput(props: ComponentPropsWithRef<'input'>) {
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      autoComplete="off"
      maxLength={NPI_DIGITS}
      onInput={({ currentTarget: box }) => {
        const clean = cleanNpi(box.value);
        if (clean !== box.value) box.value = clean;
      }}
      className="lining-nums tabular-nums"
    />
  );
}
