import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

interface MergeTargetProps {
  isBusy: boolean;
  onChoose: (id: number) => void;
}

/** For an employer that is not among the similar ones: its number, or the address of its page. */
export function MergeTarget({ isBusy, onChoose }: MergeTargetProps) {
  const [error, setError] = useState<string>();

  function submit(form: FormData) {
    const typed = String(form.get('into') ?? '').trim();
    const id = /^\d{1,10}$/.test(typed) ? typed : /\/employers\/(\d{1,10})/.exec(typed)?.[1];
    setError(id === undefined ? 'Please enter its number or the address of its page' : undefined);
    if (id !== undefined) onChoose(Number(id));
  }

  return (
    <DataForm
      aria-label="Another employer"
      onSubmit={submit}
      className="flex max-w-form flex-col gap-3"
    >
      <Field
        label="Merge into another employer"
        hint="Its number or the address of its page."
        error={error}
      >
        {(control) => <TextInput {...control} name="into" maxLength={300} autoComplete="off" />}
      </Field>
      <Button type="submit" variant="secondary" busy={isBusy} className="self-start">
        Preview merge
      </Button>
    </DataForm>
  );
}
