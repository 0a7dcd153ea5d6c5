import type { EmployerFile } from '#contract/employers/employer-curation.ts';
import { titleCase } from '#contract/names.ts';
import { REASON_FIELD, Reason } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { formatLongDate, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
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

interface UnmergeDialogProps {
  merge: Merge;
  onDone: (done: string) => void;
  onClose: () => void;
}

export function UnmergeDialog({ merge, onDone, onClose }: UnmergeDialogProps) {
  const { id, name } = merge.employer;
  const { send, error } = useWrite(caseWrites, 'unmerge', {
    onDone: ({ returned_reviews }) =>
      onDone(`${titleCase(name)} is back, with ${plural(returned_reviews, 'review')}.`),
  });
  return (
    <Form
      dialog={{ title: 'Undo the merge' }}
      schema={Reason}
      fields={[{ ...REASON_FIELD, kind: 'text' }]}
      action="Undo the merge"
      error={error}
      onSubmit={(body) => send({ params: { id }, body })}
      onCancel={onClose}
    >
      <p>
        {titleCase(name)} will return to the directory. The reviews written for it will move back,
        with their votes. Those written for the other employer will stay.
      </p>
    </Form>
  );
}
