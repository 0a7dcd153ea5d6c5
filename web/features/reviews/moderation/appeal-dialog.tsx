import { useState } from 'react';
import { APPEAL_MAX } from '#contract/limits.ts';
import {
  APPEAL_OUTCOMES,
  AppealDecisionRequest,
  type AppealOutcome,
} from '#contract/review-appeals.ts';
import type { ModeratedReview } from '#contract/review-moderation.ts';
import { hasChanged, useReread } from '#web/lib/changed-meanwhile.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { NewText } from './decision-dialog.tsx';
import { moderationWrites } from './decisions.ts';

const OUTCOMES: Record<AppealOutcome, { label: string; done: string }> = {
  uphold: {
    label: 'Uphold: stays hidden',
    done: 'The appeal has been rejected. The author can read your answer.',
  },
  overturn: {
    label: 'Overturn: public again',
    done: 'The appeal succeeded. The review is public again.',
  },
};

interface AppealDialogProps {
  moderated: ModeratedReview;
  /** The case in the queue that this decides. */
  caseId: string | undefined;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** Asks for the outcome and the answer. Mount it only while it is open. */
export function AppealDialog({ moderated, caseId, onDone, onClose }: AppealDialogProps) {
  const [answerError, setAnswerError] = useState<string>();
  const [outcomeError, setOutcomeError] = useState<string>();
  const draft = useOfficeDraft(`${moderated.review.id}:appeal`);
  const [outcome, setOutcome] = useState<AppealOutcome | null>(null);
  const { send, isBusy, error } = useWrite(moderationWrites, 'decideAppeal', {
    onDone() {
      draft.forget();
      if (outcome) onDone(OUTCOMES[outcome].done);
    },
    onError: useReread(),
  });

  function submit(answer: string) {
    setOutcomeError(outcome ? undefined : 'Please choose an outcome');
    const checked = { outcome: outcome ?? 'uphold', answer } as const;
    const message = AppealDecisionRequest.safeParse(checked).error?.issues[0]?.message;
    setAnswerError(message);
    if (message !== undefined || !outcome) return;
    const body = { outcome, answer, case_id: caseId, version: moderated.version };
    void send({ params: { id: moderated.review.id }, body });
  }

  return (
    <FormDialog
      title="Decide appeal"
      action="Decide appeal"
      busy={isBusy}
      isBeside
      form={draft.form}
      onSubmit={(data) => submit(String(data.get('answer') ?? ''))}
      onClose={onClose}
    >
      {error && <Refused error={error} kind="appeal" subject={moderated.review.id} />}
      {hasChanged(error) && <NewText review={moderated.review} />}
      <Field label="Outcome" error={outcome ? undefined : outcomeError}>
        {(control) => (
          <Select
            {...control}
            value={outcome ?? ''}
            onChange={({ target }) =>
              setOutcome(APPEAL_OUTCOMES.find((one) => one === target.value) ?? null)
            }
          >
            <option value="">Choose an outcome</option>
            {APPEAL_OUTCOMES.map((one) => (
              <option key={one} value={one}>
                {OUTCOMES[one].label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Answer" hint="The author will see this." error={answerError}>
        {(control) => <TextArea {...control} name="answer" maxLength={APPEAL_MAX} />}
      </Field>
    </FormDialog>
  );
}
