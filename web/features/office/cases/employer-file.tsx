import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import type { EmployerFile, EmployerMergePreview } from '#contract/employers/employer-curation.ts';
import { EmployerCurationRequest } from '#contract/employers/employer-curation.ts';
import {
  EMPLOYER_FACT_KEYS,
  type EmployerFact,
  type FactValue,
  readFact,
} from '#contract/employers/employer-facts.ts';
import { REJECTIONS } from '#contract/employers/employer-rejections.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { factField } from '#web/features/employers/employer-fact.ts';
import { REASON_FIELD, Reason } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { forgetOfficeDraft } from '#web/lib/office-drafts.ts';
import { paths } from '#web/lib/paths.ts';
import { type DecidedAnywhere, hasChanged, Refused, useReread } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { caseWrites } from './case-writes.ts';
import {
  DuplicatesTable,
  type Merge,
  MergeList,
  RejectDialog,
  UnmergeDialog,
  UnrejectDialog,
} from './employer-dialogs.tsx';

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
function MergeDialog(props: MergeDialogProps) {
  const { preview, caseId, onDecided, onPreview, onClose } = props;
  const { from, into, reviews, redirects, corrections, version } = preview;
  const [leaving, staying] = [titleCase(from.name), titleCase(into.name)];
  const draft = `merge:${from.id}`;
  const again = useWrite(caseWrites, 'preview_merge', { onDone: onPreview });
  const { send, error } = useWrite(caseWrites, 'merge', {
    onDone({ moved_reviews }) {
      forgetOfficeDraft(draft);
      onDecided(`Merged. ${plural(moved_reviews, 'review')} moved to ${staying}.`, true);
    },
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
      draft={draft}
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

/** Renames an employer, and changes its other facts. Sends only what was changed. */
function FactsForm({ employer }: { employer: Employer }) {
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
  const { employer, merges, merged_into, rejected_for } = file;
  const isListed = merged_into === null && rejected_for === null;
  const [done, setDone] = useState<string | null>(null);
  const [preview, setPreview] = useState<EmployerMergePreview | null>(null);
  const [undoing, setUndoing] = useState<Merge | 'rejection' | null>(null);
  const [isRejecting, setIsRejecting] = useState(false);
  const undo = {
    onDone(text: string) {
      setUndoing(null);
      setDone(text);
    },
    onClose: () => setUndoing(null),
  };
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
            <FactsForm employer={employer} />
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
      {undoing === 'rejection' && <UnrejectDialog employer={employer} {...undo} />}
      {undoing && undoing !== 'rejection' && <UnmergeDialog merge={undoing} {...undo} />}
    </div>
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
