import { useState } from 'react';
import { type EmployerFile, EmployerRejectionRequest } from '#contract/employer-curation.ts';
import { REJECTION_KEYS, REJECTIONS } from '#contract/employer-rejections.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REASON_HINT } from '#web/features/office/decision-form.tsx';
import { useReread } from '#web/lib/changed-meanwhile.ts';
import { plural } from '#web/lib/format.ts';
import { messagesByField } from '#web/lib/messages-by-field.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { caseWrites } from './case-writes.ts';
import { UndoDialog } from './undo-merge.tsx';

interface RejectDialogProps {
  file: EmployerFile;
  /** The case that this decides. */
  caseId: string | undefined;
  onDecided: (done: string, canUndo?: boolean) => void;
  onClose: () => void;
}

/** Asks why, and removes a submitted employer with its reviews. */
export function RejectDialog({ file, caseId, onDecided, onClose }: RejectDialogProps) {
  const { employer, version } = file;
  const name = titleCase(employer.name);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const draft = useOfficeDraft(`reject:${employer.id}`);
  const { send, isBusy, error } = useWrite(caseWrites, 'reject', {
    onDone({ hidden_reviews }) {
      draft.forget();
      onDecided(`Rejected. ${plural(hidden_reviews, 'review')} hidden.`, true);
    },
    onError: useReread(),
  });

  function submit(form: FormData) {
    const given = { ...Object.fromEntries(form), case_id: caseId, version };
    const read = EmployerRejectionRequest.safeParse(given);
    setErrors(messagesByField(read.error));
    if (read.success) void send({ params: { id: employer.id }, body: read.data });
  }

  return (
    <FormDialog
      title="Reject the employer"
      action="Reject"
      busy={isBusy}
      variant="danger"
      onSubmit={submit}
      form={draft.form}
      onClose={onClose}
      className="flex flex-col gap-5 text-ink"
    >
      {error && <Refused error={error} kind="employer" subject={String(employer.id)} />}
      <p>
        {name} will disappear from the directory and from searches, and{' '}
        {plural(employer.total_reviews, 'public review')} will be hidden. The authors read why, and
        can appeal. Reviews that wait for their time will not be published.
      </p>
      <Field label="Reason" hint="The authors read a text for it." error={errors['rejection']}>
        {(control) => (
          <Select {...control} name="rejection" defaultValue="">
            <option value="">Choose a reason</option>
            {REJECTION_KEYS.map((one) => (
              <option key={one} value={one}>
                {REJECTIONS[one].name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Note (optional)" hint={REASON_HINT} error={errors['note']}>
        {(control) => <TextInput {...control} name="note" maxLength={DECISION_REASON_MAX} />}
      </Field>
    </FormDialog>
  );
}

interface UnrejectDialogProps {
  employer: EmployerFile['employer'];
  onDone: (done: string) => void;
  onClose: () => void;
}

export function UnrejectDialog({ employer: { id, name }, onDone, onClose }: UnrejectDialogProps) {
  const { send, isBusy, error } = useWrite(caseWrites, 'unreject', {
    onDone: ({ restored_reviews }) =>
      onDone(`${titleCase(name)} is back, with ${plural(restored_reviews, 'review')}.`),
  });
  return (
    <UndoDialog
      title="Undo the rejection"
      isBusy={isBusy}
      onReason={(reason) => void send({ params: { id }, body: { reason } })}
      onClose={onClose}
    >
      {error && <Refused error={error} kind="employer" subject={String(id)} />}
      <p>
        {titleCase(name)} will return to the directory. The reviews that the rejection hid will be
        public again, and their authors read that it was a mistake.
      </p>
    </UndoDialog>
  );
}
