import type { ReactNode } from 'react';
import {
  type EmployerFile,
  EmployerRejectionRequest,
} from '#contract/employers/employer-curation.ts';
import { EMPLOYER_FACT_KEYS } from '#contract/employers/employer-facts.ts';
import { REJECTION_KEYS, REJECTIONS } from '#contract/employers/employer-rejections.ts';
import { EMPLOYER_FACTS } from '#contract/employers/employer-sources.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { factText } from '#web/features/employers/employer-fact.ts';
import { Form } from '#web/form/form.tsx';
import { formatCount, formatLongDate, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { forgetOfficeDraft } from '#web/lib/office-drafts.ts';
import { paths } from '#web/lib/paths.ts';
import { refused, useReread } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
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

interface DuplicatesTableProps {
  employer: Employer;
  candidates: readonly Employer[];
  inCommon: EmployerFile['in_common'];
  /** The actions for each employer. */
  actionOf: (each: Employer) => ReactNode;
}

const SAME = { address: 'Same address', phone: 'Same phone', name: 'Similar name' } as const;

const CELL = 'min-w-[min(11rem,50vw)] p-3 align-top wrap-anywhere';

/**
 * Compares an employer with its possible duplicates, by every fact that is known for at least one
 * of them.
 */
export function DuplicatesTable({
  employer,
  candidates,
  inCommon,
  actionOf,
}: DuplicatesTableProps) {
  const all = [employer, ...candidates];
  const sharedBy = new Map(inCommon.map(({ id, facts }) => [id, facts]));
  const row = (label: string, textOf: (each: Employer) => string) => (
    <tr key={label} className="border-t border-rule">
      <th
        scope="row"
        className="bg-paper py-3 pr-3 text-left align-top label-caps text-ink-faint xs:sticky xs:left-0"
      >
        {label}
      </th>
      {all.map((each) => (
        <td key={each.id} className={CELL}>
          {textOf(each)}
        </td>
      ))}
    </tr>
  );
  return (
    // Positioned, so that it also clips the `sr-only` texts inside.
    <section
      aria-label="Side by side"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      className="relative overflow-x-auto text-sm lining-nums"
    >
      <table className="border-collapse">
        <thead>
          <tr>
            <td />
            {all.map((each) => (
              <th key={each.id} scope="col" className={`${CELL} text-left font-normal`}>
                <span className="block label-caps text-ink-faint">
                  {each.user_submitted ? 'Added by a doctor' : 'In the directory'}
                </span>
                <Link
                  to={paths.employer(each.id)}
                  className="font-display text-lg underline-offset-4 hover:underline"
                >
                  {titleCase(each.name)}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <td />
            {all.map((each) => (
              <td key={each.id} className={CELL}>
                {actionOf(each)}
              </td>
            ))}
          </tr>
          {inCommon.some(({ facts }) => facts.length > 0) &&
            row('In common', ({ id }) =>
              (sharedBy.get(id) ?? []).map((fact) => SAME[fact]).join(', '),
            )}
          {row('Reviews', ({ total_reviews }) => formatCount(total_reviews))}
          {row('Added on', ({ created_at }) => formatLongDate(created_at.slice(0, 10)))}
          {EMPLOYER_FACT_KEYS.filter(
            (fact) => fact !== 'name' && all.some((each) => each[fact] !== null),
          ).map((fact) => row(EMPLOYER_FACTS[fact], (each) => factText(fact, each[fact])))}
        </tbody>
      </table>
    </section>
  );
}
