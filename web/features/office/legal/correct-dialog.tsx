import { useState } from 'react';
import { type LegalDemand, LegalDemandCorrection } from '#contract/legal-demands.ts';
import { DECISION_REASON_MAX, DEMAND_REVIEW_MAX } from '#contract/limits.ts';
import { REASON_HINT } from '#web/features/office/decision-form.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextArea, TextInput } from '#web/ui/text-input.tsx';
import { legalWrites } from './legal-writes.ts';

/** Corrects which review a demand is about. Mount it to open it. */
export function CorrectDialog({ demand, onClose }: { demand: LegalDemand; onClose: () => void }) {
  const [noteError, setNoteError] = useState<string>();
  const { send, isBusy, error } = useWrite(legalWrites, 'correct', { onDone: onClose });

  function submit(form: FormData) {
    const parsed = LegalDemandCorrection.safeParse(Object.fromEntries(form));
    setNoteError(parsed.error?.issues[0]?.message);
    if (parsed.success) void send({ params: { id: demand.id }, body: parsed.data });
  }

  return (
    <FormDialog
      title="Correct the review"
      action="Correct the review"
      busy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      <p>
        The author of the review named so far will no longer see this demand.{' '}
        <span>
          {demand.is_gagged
            ? 'The author of the new one will not see it either while the law forbids it.'
            : 'The author of the new one will see it from now on.'}
        </span>
      </p>
      <Field
        label="Review (optional)"
        hint="The address of the review that the demand is about. Leave it empty if there is none."
      >
        {(control) => (
          <TextInput
            {...control}
            name="review"
            maxLength={DEMAND_REVIEW_MAX}
            defaultValue={demand.review?.id}
          />
        )}
      </Field>
      <Field label="Note" hint={REASON_HINT} error={noteError}>
        {(control) => <TextArea {...control} name="note" maxLength={DECISION_REASON_MAX} />}
      </Field>
    </FormDialog>
  );
}
