import { useState } from 'react';
import { DEMAND_KIND_KEYS, DEMAND_KINDS } from '#contract/legal-demand-choices.ts';
import { LegalDemandRequest } from '#contract/legal-demands.ts';
import { DEMAND_REVIEW_MAX, JURISDICTION_MAX } from '#contract/limits.ts';
import { messagesByField } from '#web/lib/messages-by-field.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { legalWrites } from './legal-writes.ts';

/** Records a legal demand. Mount it to open it. */
export function RecordDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const { send, isBusy, error } = useWrite(legalWrites, 'record', { onDone });

  function submit(form: FormData) {
    const { gagged, ...fields } = Object.fromEntries(form);
    const parsed = LegalDemandRequest.safeParse({ ...fields, is_gagged: gagged === 'on' });
    setErrors(messagesByField(parsed.error));
    if (parsed.success) void send({ body: parsed.data });
  }

  return (
    <FormDialog
      title="Record a legal demand"
      action="Record demand"
      busy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      <Field label="Kind" error={errors['kind']}>
        {(control) => (
          <Select {...control} name="kind" defaultValue="">
            <option value="">Choose a kind</option>
            {DEMAND_KIND_KEYS.map((kind) => (
              <option key={kind} value={kind}>
                {DEMAND_KINDS[kind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Received on" error={errors['received_on']}>
        {(control) => <TextInput {...control} name="received_on" type="date" />}
      </Field>
      <Field
        label="Jurisdiction (optional)"
        hint="A state or a court, for example NY."
        error={errors['jurisdiction']}
      >
        {(control) => <TextInput {...control} name="jurisdiction" maxLength={JURISDICTION_MAX} />}
      </Field>
      <Field
        label="Review (optional)"
        hint="The address of the review that the demand is about. Its author will see the demand."
        error={errors['review']}
      >
        {(control) => <TextInput {...control} name="review" maxLength={DEMAND_REVIEW_MAX} />}
      </Field>
      <Checkbox
        name="gagged"
        label="The law forbids telling the author"
        hint="Once it no longer does, choose “Tell the author” in the list of demands."
      />
    </FormDialog>
  );
}
