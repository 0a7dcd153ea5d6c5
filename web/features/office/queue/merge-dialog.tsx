import { type ReactNode, useState } from 'react';
import { type EmployerMergePreview, EmployerMergeRequest } from '#contract/employer-curation.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REASON_HINT } from '#web/features/office/decision-form.tsx';
import { hasChanged } from '#web/lib/changed-meanwhile.ts';
import { plural } from '#web/lib/format.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { caseWrites } from './case-writes.ts';

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
