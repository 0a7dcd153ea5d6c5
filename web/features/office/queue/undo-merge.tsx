import { type ReactNode, useState } from 'react';
import type { EmployerFile } from '#contract/employer-curation.ts';
import { DecisionReason } from '#contract/fields.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REASON_HINT } from '#web/features/office/decision-form.tsx';
import { formatLongDate, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { caseWrites } from './case-writes.ts';

export type Merge = EmployerFile['merges'][number];

interface MergeListProps {
  merges: readonly Merge[];
  onUndo: (merge: Merge) => void;
}

/** The merges that can still be undone. */
export function MergeList({ merges, onUndo }: MergeListProps) {
  if (merges.length === 0) return null;
  return (
    <section aria-label="Recent merges">
      <h2 className="pb-2 font-display text-xl">Recent merges</h2>
      <ul className="text-sm lining-nums">
        {merges.map((merge) => (
          <li
            key={merge.employer.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-rule py-3"
          >
            <span className="wrap-anywhere">
              <Link to={paths.adminEmployer(merge.employer.id)} className="prose-link">
                {titleCase(merge.employer.name)}
              </Link>{' '}
              was merged on {formatLongDate(merge.merged_on)}. It can be undone until{' '}
              {formatLongDate(merge.undo_until)}.
            </span>
            <Button size="sm" variant="secondary" onClick={() => onUndo(merge)}>
              Undo the merge
              <span className="sr-only">of {titleCase(merge.employer.name)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface UndoDialogProps {
  title: string;
  isBusy: boolean;
  /** Why it could not be undone, and what will happen. */
  children: ReactNode;
  onReason: (reason: string) => void;
  onClose: () => void;
}

/** Asks why something is undone. */
export function UndoDialog({ title, isBusy, children, onReason, onClose }: UndoDialogProps) {
  const [reasonError, setReasonError] = useState<string>();

  function submit(form: FormData) {
    const read = DecisionReason.safeParse(form.get('reason'));
    setReasonError(read.error?.issues[0]?.message);
    if (read.success) onReason(read.data);
  }

  return (
    <FormDialog
      title={title}
      action={title}
      busy={isBusy}
      onSubmit={submit}
      onClose={onClose}
      className="flex flex-col gap-5 text-ink"
    >
      {children}
      <Field label="Reason" hint={REASON_HINT} error={reasonError}>
        {(control) => <TextInput {...control} name="reason" maxLength={DECISION_REASON_MAX} />}
      </Field>
    </FormDialog>
  );
}

interface UnmergeDialogProps extends Pick<UndoDialogProps, 'onClose'> {
  merge: Merge;
  onDone: (done: string) => void;
}

export function UnmergeDialog({ merge, onDone, onClose }: UnmergeDialogProps) {
  const { id, name } = merge.employer;
  const { send, isBusy, error } = useWrite(caseWrites, 'unmerge', {
    onDone: ({ returned_reviews }) =>
      onDone(`${titleCase(name)} is back, with ${plural(returned_reviews, 'review')}.`),
  });
  return (
    <UndoDialog
      title="Undo the merge"
      isBusy={isBusy}
      onReason={(reason) => void send({ params: { id }, body: { reason } })}
      onClose={onClose}
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      <p>
        {titleCase(name)} will return to the directory. The reviews written for it will move back,
        with their votes. Those written for the other employer will stay.
      </p>
    </UndoDialog>
  );
}
