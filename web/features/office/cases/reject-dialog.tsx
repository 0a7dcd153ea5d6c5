import {
  type EmployerFile,
  EmployerRejectionRequest,
} from '#contract/employers/employer-curation.ts';
import { REJECTION_KEYS, REJECTIONS } from '#contract/employers/employer-rejections.ts';
import { titleCase } from '#contract/names.ts';
import { REASON_FIELD, Reason } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { useReread } from '#web/lib/changed-meanwhile.ts';
import { plural } from '#web/lib/format.ts';
import { forgetOfficeDraft } from '#web/lib/office-drafts.ts';
import { refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { caseWrites } from './case-writes.ts';

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
  const draft = `reject:${employer.id}`;
  const { send, error } = useWrite(caseWrites, 'reject', {
    onDone({ hidden_reviews }) {
      forgetOfficeDraft(draft);
      onDecided(`Rejected. ${plural(hidden_reviews, 'review')} hidden.`, true);
    },
    onError: useReread(),
  });
  return (
    <Form
      dialog={{ title: 'Reject the employer' }}
      schema={EmployerRejectionRequest}
      fields={[
        {
          name: 'rejection',
          label: 'Reason',
          hint: 'The authors read a text for it.',
          kind: 'select',
          placeholder: 'Choose a reason',
          options: REJECTION_KEYS.map((one) => [one, REJECTIONS[one].name]),
        },
        { ...REASON_FIELD, name: 'note', label: 'Note (optional)', kind: 'text' },
      ]}
      action={{ text: 'Reject', variant: 'danger' }}
      draft={draft}
      error={error}
      failure={refused('employer', String(employer.id))}
      onSubmit={(body) =>
        send({ params: { id: employer.id }, body: { ...body, case_id: caseId, version } })
      }
      onCancel={onClose}
    >
      <p>
        {name} will disappear from the directory and from searches, and{' '}
        {plural(employer.total_reviews, 'public review')} will be hidden. The authors read why, and
        can appeal. Reviews that wait for their time will not be published.
      </p>
    </Form>
  );
}

interface UnrejectDialogProps {
  employer: EmployerFile['employer'];
  onDone: (done: string) => void;
  onClose: () => void;
}

export function UnrejectDialog({ employer: { id, name }, onDone, onClose }: UnrejectDialogProps) {
  const { send, error } = useWrite(caseWrites, 'unreject', {
    onDone: ({ restored_reviews }) =>
      onDone(`${titleCase(name)} is back, with ${plural(restored_reviews, 'review')}.`),
  });
  return (
    <Form
      dialog={{ title: 'Undo the rejection' }}
      schema={Reason}
      fields={[{ ...REASON_FIELD, kind: 'text' }]}
      action="Undo the rejection"
      error={error}
      failure={refused('employer', String(id))}
      onSubmit={(body) => send({ params: { id }, body })}
      onCancel={onClose}
    >
      <p>
        {titleCase(name)} will return to the directory. The reviews that the rejection hid will be
        public again, and their authors read that it was a mistake.
      </p>
    </Form>
  );
}
