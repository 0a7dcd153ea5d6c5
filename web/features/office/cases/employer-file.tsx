import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import {
  EmployerCurationRequest,
  type EmployerFile,
  type EmployerMergePreview,
} from '#contract/employers/employer-curation.ts';
import {
  EMPLOYER_FACT_KEYS,
  type EmployerFact,
  type FactValue,
  readFact,
} from '#contract/employers/employer-facts.ts';
import { REJECTIONS } from '#contract/employers/employer-rejections.ts';
import { EMPLOYER_FACTS } from '#contract/employers/employer-sources.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { factField, factText } from '#web/features/employers/employer-fact.ts';
import { REASON_FIELD } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { type DecidedAnywhere, Refused, useReread } from '#web/lib/case-decision.tsx';
import { formatCount, formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { caseWrites } from './case-writes.ts';
import { type Merge, MergeDialog, RejectDialog, UndoDialog } from './employer-dialogs.tsx';

/** Renames an employer, and changes its other facts. Sends only what was changed. */
function FactsForm({ employer, version }: Pick<EmployerFile, 'employer' | 'version'>) {
  const { send, isDone, error } = useWrite(caseWrites, 'curate');
  return (
    <Form
      schema={EmployerCurationRequest}
      fields={[
        {
          columns: EMPLOYER_FACT_KEYS.map((fact) => changedFact(fact, employer[fact])),
          className: 'grid gap-x-8 gap-y-5 md:grid-cols-2 lg:grid-cols-3',
        },
        { ...REASON_FIELD, kind: 'text', className: 'max-w-form' },
      ]}
      action={{ text: 'Change facts', className: 'self-start' }}
      error={error}
      onSubmit={(body) => send({ params: { id: employer.id }, body })}
      // With the version, or a fact that another curator has changed would be changed back.
      draft={`facts:${employer.id}:${version}`}
      form={{ 'aria-label': 'Facts' }}
    >
      {isDone && <Banner tone="success">The facts have been changed.</Banner>}
    </Form>
  );
}

function changedFact(fact: EmployerFact, current: FactValue): FieldSpec {
  return {
    ...factField(fact, current),
    // Resets the field if another curator has changed the fact in the meantime.
    key: `${fact} ${current}`,
    read: (typed) => (typed === String(current ?? '') ? undefined : readFact(fact, typed)),
  };
}

interface MergeTargetProps {
  isBusy: boolean;
  onChoose: (id: number) => void;
}

const Target = z.strictObject({
  into: z.string('Please enter its number or the address of its page'),
});

/** For an employer that is not among the similar ones: its number, or the address of its page. */
function MergeTarget({ isBusy, onChoose }: MergeTargetProps) {
  return (
    <Form
      schema={Target}
      fields={[
        {
          name: 'into',
          label: 'Merge into another employer',
          hint: 'Its number or the address of its page.',
          read: (typed) => /^\d{1,10}$|(?<=\/employers\/)\d{1,10}/.exec(typed.trim())?.[0],
          maxLength: 300,
          autoComplete: 'off',
        },
      ]}
      action={{ text: 'Preview merge', variant: 'secondary', isBusy, className: 'self-start' }}
      onSubmit={({ into }) => onChoose(Number(into))}
      form={{ 'aria-label': 'Another employer', className: 'flex max-w-form flex-col gap-3' }}
    />
  );
}

interface EmployerFileScreenProps extends DecidedAnywhere {
  file: EmployerFile;
}

/** An employer next to its possible duplicates, and its facts. */
export function EmployerFileScreen(props: EmployerFileScreenProps) {
  const { file, caseId, decision, onDecided } = props;
  const { employer, version, merges, merged_into, rejected_for } = file;
  const isListed = merged_into === null && rejected_for === null;
  const [done, setDone] = useState<string | null>(null);
  const [preview, setPreview] = useState<EmployerMergePreview | null>(null);
  const [undoing, setUndoing] = useState<Merge | 'rejection' | null>(null);
  const [isRejecting, setIsRejecting] = useState(false);
  return (
    <div ref={decision} className="flex flex-col gap-8">
      {done && <Banner tone="success">{done}</Banner>}
      {isListed && (
        <Duplicates {...props} onPreview={setPreview} onReject={() => setIsRejecting(true)} />
      )}
      {rejected_for && (
        <div className="flex flex-col items-start gap-4">
          <p>
            It was rejected: {REJECTIONS[rejected_for].name}. The directory does not list it, and
            none of its reviews is public.
          </p>
          <Button size="sm" variant="secondary" onClick={() => setUndoing('rejection')}>
            Undo the rejection
          </Button>
        </div>
      )}
      {merged_into && (
        <p>
          It was merged into{' '}
          <Link to={paths.adminEmployer(merged_into.id)} className="prose-link">
            {titleCase(merged_into.name)}
          </Link>
          .
        </p>
      )}
      <MergeList merges={merges} onUndo={setUndoing} />
      {isListed && (
        <details className="print:hidden">
          <summary className="min-h-11 cursor-pointer font-display text-xl">Edit facts</summary>
          <div className="pt-4">
            <FactsForm employer={employer} version={version} />
          </div>
        </details>
      )}
      {/* Outside of the parts that reload, because what the dialogs do changes those. */}
      {preview && (
        <MergeDialog
          preview={preview}
          caseId={caseId}
          onDecided={(text, canUndo) => {
            setPreview(null);
            onDecided(text, canUndo);
          }}
          onPreview={setPreview}
          onClose={() => setPreview(null)}
        />
      )}
      {isRejecting && (
        <RejectDialog
          file={file}
          caseId={caseId}
          onDecided={(text, canUndo) => {
            setIsRejecting(false);
            onDecided(text, canUndo);
          }}
          onClose={() => setIsRejecting(false)}
        />
      )}
      {undoing && (
        <UndoDialog
          {...(undoing === 'rejection'
            ? { act: 'unreject', employer }
            : { act: 'unmerge', employer: undoing.employer })}
          onDone={(text) => {
            setUndoing(null);
            setDone(text);
          }}
          onClose={() => setUndoing(null)}
        />
      )}
    </div>
  );
}

interface MergeListProps {
  merges: readonly Merge[];
  onUndo: (merge: Merge) => void;
}

/** The merges that can still be undone. */
function MergeList({ merges, onUndo }: MergeListProps) {
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
              {formatLongDate(merge.undo_until)} (UTC).
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

interface DuplicatesProps extends Omit<EmployerFileScreenProps, 'decision'> {
  onPreview: (preview: EmployerMergePreview) => void;
  onReject: () => void;
}

function Duplicates({ file, caseId, onDecided, onPreview, onReject }: DuplicatesProps) {
  const { employer, version, candidates, in_common } = file;
  const { send, isBusy, error } = useWrite(caseWrites, 'preview_merge', { onDone: onPreview });
  const previewMerge = (into: number) =>
    void send({ params: { id: employer.id }, query: { into } });
  return (
    <>
      <h2 className="font-display text-xl">
        {candidates.length > 0 ? 'Is it one of these?' : 'No similar employer was found.'}
      </h2>
      <DuplicatesTable
        employer={employer}
        candidates={candidates}
        inCommon={in_common}
        actionOf={(each) =>
          each.id !== employer.id ? (
            <Button size="sm" variant="secondary" onClick={() => previewMerge(each.id)}>
              Merge into this
              <span className="sr-only">{titleCase(each.name)}</span>
            </Button>
          ) : (
            <div className="flex flex-col items-start gap-3">
              {caseId && (
                <AcceptButton
                  employer={employer}
                  version={version}
                  caseId={caseId}
                  onDecided={onDecided}
                />
              )}
              {employer.user_submitted && (
                <Button size="sm" variant="secondary" onClick={onReject}>
                  Reject
                </Button>
              )}
            </div>
          )
        }
      />
      {error && <Banner tone="error">{error.message}</Banner>}
      <MergeTarget isBusy={isBusy} onChoose={previewMerge} />
    </>
  );
}

interface AcceptButtonProps {
  employer: Employer;
  version: string;
  caseId: string;
  onDecided: (done: string) => void;
}

function AcceptButton({ employer, version, caseId, onDecided }: AcceptButtonProps) {
  const { send, isBusy, error } = useWrite(caseWrites, 'accept', {
    onDone: () => onDecided(`${titleCase(employer.name)} stays in the directory.`),
    onError: useReread(),
  });
  return (
    <>
      {error && <Refused error={error} kind="employer" subject={String(employer.id)} />}
      <Button
        size="sm"
        busy={isBusy}
        onClick={() =>
          void send({ params: { id: employer.id }, body: { case_id: caseId, version } })
        }
      >
        Keep as a new employer
      </Button>
    </>
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
function DuplicatesTable({ employer, candidates, inCommon, actionOf }: DuplicatesTableProps) {
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
