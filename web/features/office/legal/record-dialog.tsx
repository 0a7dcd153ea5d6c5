import { useState } from 'react';
import { DEMAND_KIND_KEYS, DEMAND_KINDS } from '#contract/legal-demand-choices.ts';
import { LegalDemandRequest } from '#contract/legal-demands.ts';
import {
  DEMAND_DOCKET_MAX,
  DEMAND_REVIEW_MAX,
  DEMAND_SENDER_MAX,
  JURISDICTION_MAX,
} from '#contract/limits.ts';
import { messagesByField } from '#web/lib/messages-by-field.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { DocumentField, useDocument } from './demand-document.tsx';
import { legalWrites } from './legal-writes.ts';

/** Records a legal demand. Mount it to open it. */
export function RecordDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const document = useDocument();
  /** Recorded, but its document was refused. */
  const [recorded, setRecorded] = useState<string>();
  const { send, isBusy, error } = useWrite(legalWrites, 'record', {
    onDone({ id }) {
      if (!document.isChosen) return onDone();
      setRecorded(id);
      void document.upload(id, onDone);
    },
  });

  function submit(form: FormData) {
    const { gagged, due_on, document: _, ...fields } = Object.fromEntries(form);
    const parsed = LegalDemandRequest.safeParse({
      ...fields,
      due_on: due_on === '' ? null : due_on,
      is_gagged: gagged === 'on',
    });
    setErrors(messagesByField(parsed.error));
    const isReady = document.isReady();
    if (!parsed.success || !isReady) return;
    if (recorded === undefined) void send({ body: parsed.data });
    else if (document.isChosen) void document.upload(recorded, onDone);
    else onDone();
  }

  return (
    <FormDialog
      title="Record a legal demand"
      action="Record demand"
      busy={isBusy || document.isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      {recorded !== undefined && !document.isBusy && (
        <Banner tone="info">
          The demand is recorded, but not its document. Choose another file, or none.
        </Banner>
      )}
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
        label="Due on (optional)"
        hint="The last day to answer it. Once it is over, the demand comes first in the queue."
        error={errors['due_on']}
      >
        {(control) => <TextInput {...control} name="due_on" type="date" />}
      </Field>
      <Field
        label="Sender (optional)"
        hint="Who demands it, for example a law firm or a court."
        error={errors['sender']}
      >
        {(control) => <TextInput {...control} name="sender" maxLength={DEMAND_SENDER_MAX} />}
      </Field>
      <Field label="Docket number (optional)" error={errors['docket']}>
        {(control) => <TextInput {...control} name="docket" maxLength={DEMAND_DOCKET_MAX} />}
      </Field>
      <DocumentField label="Document (optional)" {...document.field} />
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
