import type { ReactNode } from 'react';
import {
  type EmployerFile,
  type EmployerMergePreview,
  EmployerRejectionRequest,
} from '#contract/employers/employer-curation.ts';
import { REJECTION_KEYS, REJECTIONS } from '#contract/employers/employer-rejections.ts';
import { titleCase } from '#contract/names.ts';
import { Form } from '#web/form/form.tsx';
import { hasChanged, refused, useReread } from '#web/lib/case-decision.tsx';
import { plural } from '#web/lib/format.ts';
import { useWrite } from '#web/lib/write.ts';
import { REASON_FIELD, Reason } from '../decision-fields.ts';
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
  const { send, error } = useWrite(caseWrites, 'reject', {
    onDone: ({ hidden_reviews }) =>
      onDecided(`Rejected. ${plural(hidden_reviews, 'review')} hidden.`, true),
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
      draft={`reject:${employer.id}`}
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

interface MergeDialogProps {
  preview: EmployerMergePreview;
  /** The case that this decides. */
  caseId: string | undefined;
  onDecided: (done: string, canUndo?: boolean) => void;
  /** Called with a newer preview if something has changed. */
  onPreview: (preview: EmployerMergePreview) => void;
  onClose: () => void;
}

/** Shows what a merge moves before the user confirms it. */
export function MergeDialog(props: MergeDialogProps) {
  const { preview, caseId, onDecided, onPreview, onClose } = props;
  const { from, into, reviews, redirects, corrections, version } = preview;
  const [leaving, staying] = [titleCase(from.name), titleCase(into.name)];
  const again = useWrite(caseWrites, 'preview_merge', { onDone: onPreview });
  const { send, error } = useWrite(caseWrites, 'merge', {
    onDone: ({ moved_reviews }) =>
      onDecided(`Merged. ${plural(moved_reviews, 'review')} moved to ${staying}.`, true),
    onError: (failed) => {
      if (hasChanged(failed))
        void again.send({ params: { id: from.id }, query: { into: into.id } });
    },
  });
  return (
    <Form
      dialog={{ title: 'Merge employers' }}
      schema={Reason}
      fields={[{ ...REASON_FIELD, kind: 'text' }]}
      action={{ text: 'Merge', variant: 'danger', isBusy: again.isBusy }}
      draft={`merge:${from.id}`}
      error={error}
      onSubmit={({ reason }) =>
        send({
          params: { id: from.id },
          body: { into: String(into.id), reason, case_id: caseId, version },
        })
      }
      onCancel={onClose}
    >
      <p>
        {leaving} will disappear from the directory. Links to it will lead to {staying}, and{' '}
        {plural(reviews, 'review')} will move there.
      </p>
      <dl className="text-sm lining-nums">
        <Moves what="Reviews, with their votes">
          {reviews}
          {reviews > from.total_reviews && (
            <span>, {reviews - from.total_reviews} of them not public</span>
          )}
        </Moves>
        <Moves what={`Public reviews of ${staying} after the merge`}>
          {from.total_reviews + into.total_reviews}
        </Moves>
        <Moves what="Employers merged into it earlier">{redirects}</Moves>
        <Moves what="Pending corrections">{corrections}</Moves>
        <Moves what="People who saved it">move too; nobody can count them</Moves>
        <Moves what="Private notes">stay in people’s browsers</Moves>
        <Moves what="Facts">{staying} keeps its own</Moves>
      </dl>
    </Form>
  );
}

function Moves({ what, children }: { what: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 border-t border-rule py-2">
      <dt className="text-ink-soft">{what}</dt>
      <dd className="ml-auto text-right">{children}</dd>
    </div>
  );
}

export type Merge = EmployerFile['merges'][number];

interface UndoDialogProps {
  act: 'unreject' | 'unmerge';
  /** The employer that returns. */
  employer: Merge['employer'];
  onDone: (done: string) => void;
  onClose: () => void;
}

const UNDO = {
  unreject: {
    title: 'Undo the rejection',
    text: 'The reviews that the rejection hid will be public again, and their authors read that it was a mistake.',
  },
  unmerge: {
    title: 'Undo the merge',
    text: 'The reviews written for it will move back, with their votes. Those written for the other employer will stay.',
  },
} as const;

/** Undoes a rejection or a merge. */
export function UndoDialog({ act, employer: { id, name }, onDone, onClose }: UndoDialogProps) {
  const { title, text } = UNDO[act];
  const { send, error } = useWrite(caseWrites, act, {
    onDone(answer) {
      const reviews =
        'restored_reviews' in answer ? answer.restored_reviews : answer.returned_reviews;
      onDone(`${titleCase(name)} is back, with ${plural(reviews, 'review')}.`);
    },
  });
  return (
    <Form
      dialog={{ title }}
      schema={Reason}
      fields={[{ ...REASON_FIELD, kind: 'text' }]}
      action={title}
      draft={`${act}:${id}`}
      error={error}
      failure={refused('employer', String(id))}
      onSubmit={(body) => send({ params: { id }, body })}
      onCancel={onClose}
    >
      <p>
        {titleCase(name)} will return to the directory. {text}
      </p>
    </Form>
  );
}
