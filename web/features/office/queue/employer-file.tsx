import { type ReactNode, useState } from 'react';
import type { EmployerFile, EmployerMergePreview } from '#contract/employer-curation.ts';
import { EmployerCurationRequest, EmployerMergeRequest } from '#contract/employer-curation.ts';
import { EMPLOYER_FACT_KEYS, type EmployerFact, readFact } from '#contract/employer-facts.ts';
import { REJECTIONS } from '#contract/employer-rejections.ts';
import { EMPLOYER_FACTS } from '#contract/employer-sources.ts';
import type { Employer } from '#contract/employers.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { FactInput } from '#web/facts/employer-fact.tsx';
import { REASON_HINT } from '#web/features/office/decision-form.tsx';
import type { DecidedAnywhere } from '#web/lib/case-decision.ts';
import { hasChanged, useReread } from '#web/lib/changed-meanwhile.ts';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { messagesByField } from '#web/lib/messages-by-field.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { paths } from '#web/lib/paths.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { caseWrites } from './case-writes.ts';
import { DuplicatesTable } from './duplicates-table.tsx';
import { RejectDialog, UnrejectDialog } from './reject-dialog.tsx';
import { type Merge, MergeList, UnmergeDialog } from './undo-merge.tsx';

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
  const [reasonError, setReasonError] = useState<string>();
  const draft = useOfficeDraft(`merge:${from.id}`);
  const again = useWrite(caseWrites, 'preview_merge', { onDone: onPreview });
  const { send, isBusy, error } = useWrite(caseWrites, 'merge', {
    onDone({ moved_reviews }) {
      draft.forget();
      onDecided(`Merged. ${plural(moved_reviews, 'review')} moved to ${staying}.`, true);
    },
    onError: (error) => {
      if (hasChanged(error)) void again.send({ params: { id: from.id }, query: { into: into.id } });
    },
  });

  function submit(form: FormData) {
    const reason = String(form.get('reason') ?? '');
    const body = { into: String(into.id), reason, case_id: caseId, version };
    const message = EmployerMergeRequest.safeParse(body).error?.issues[0]?.message;
    setReasonError(message);
    if (message === undefined) void send({ params: { id: from.id }, body });
  }

  return (
    <FormDialog
      title="Merge employers"
      action="Merge"
      busy={isBusy || again.isBusy}
      variant="danger"
      onSubmit={submit}
      form={draft.form}
      onClose={onClose}
      className="flex flex-col gap-5 text-ink"
    >
      {error && <Banner tone="error">{error.message}</Banner>}
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
      <Field label="Reason" hint={REASON_HINT} error={reasonError}>
        {(control) => <TextInput {...control} name="reason" maxLength={DECISION_REASON_MAX} />}
      </Field>
    </FormDialog>
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

interface FactsFormProps {
  employer: Employer;
}

/** Renames an employer, and changes its other facts. Sends only what was changed. */
function FactsForm({ employer }: FactsFormProps) {
  const [wrong, setWrong] = useState<Partial<Record<string, string>>>({});
  const { send, isBusy, isDone, error } = useWrite(caseWrites, 'curate');

  function submit(form: FormData) {
    const typed = (name: string) => String(form.get(name) ?? '');
    const changed = EMPLOYER_FACT_KEYS.filter(
      (fact) => typed(fact) !== String(employer[fact] ?? ''),
    );
    const facts = changed.map((fact) => [fact, readFact(fact, typed(fact))]);
    const read = EmployerCurationRequest.safeParse({
      ...Object.fromEntries(facts),
      reason: typed('reason'),
    });
    setWrong(messagesByField(read.error));
    if (read.success) void send({ params: { id: employer.id }, body: read.data });
  }

  return (
    <DataForm aria-label="Facts" onSubmit={submit} className="flex flex-col gap-5">
      {error && <Banner tone="error">{error.message}</Banner>}
      {isDone && <Banner tone="success">The facts have been changed.</Banner>}
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2 lg:grid-cols-3">
        {EMPLOYER_FACT_KEYS.map((fact) => (
          <FactField key={fact} fact={fact} employer={employer} error={wrong[fact]} />
        ))}
      </div>
      <Field label="Reason" hint={REASON_HINT} error={wrong['reason']} className="max-w-form">
        {(control) => <TextInput {...control} name="reason" maxLength={DECISION_REASON_MAX} />}
      </Field>
      <Button type="submit" busy={isBusy} className="self-start">
        Change facts
      </Button>
    </DataForm>
  );
}

interface FactFieldProps extends FactsFormProps {
  fact: EmployerFact;
  error: string | undefined;
}

function FactField({ fact, employer, error }: FactFieldProps) {
  return (
    <Field label={EMPLOYER_FACTS[fact]} error={error}>
      {(control) => (
        <FactInput
          // Resets the field if another curator has changed the fact in the meantime.
          key={String(employer[fact])}
          {...control}
          fact={fact}
          name={fact}
          defaultValue={employer[fact]}
        />
      )}
    </Field>
  );
}

interface MergeTargetProps {
  isBusy: boolean;
  onChoose: (id: number) => void;
}

/** For an employer that is not among the similar ones: its number, or the address of its page. */
function MergeTarget({ isBusy, onChoose }: MergeTargetProps) {
  const [error, setError] = useState<string>();

  function submit(form: FormData) {
    const typed = String(form.get('into') ?? '').trim();
    const id = /^\d{1,10}$/.test(typed) ? typed : /\/employers\/(\d{1,10})/.exec(typed)?.[1];
    setError(id === undefined ? 'Please enter its number or the address of its page' : undefined);
    if (id !== undefined) onChoose(Number(id));
  }

  return (
    <DataForm
      aria-label="Another employer"
      onSubmit={submit}
      className="flex max-w-form flex-col gap-3"
    >
      <Field
        label="Merge into another employer"
        hint="Its number or the address of its page."
        error={error}
      >
        {(control) => <TextInput {...control} name="into" maxLength={300} autoComplete="off" />}
      </Field>
      <Button type="submit" variant="secondary" busy={isBusy} className="self-start">
        Preview merge
      </Button>
    </DataForm>
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
