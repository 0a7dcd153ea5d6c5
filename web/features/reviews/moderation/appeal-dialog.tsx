import { useState } from 'react';
import * as z from 'zod/mini';
import { APPEAL_MAX } from '#contract/limits.ts';
import {
  APPEAL_OUTCOMES,
  AppealDecisionRequest,
  type AppealOutcome,
} from '#contract/reviews/review-appeals.ts';
import type { ModeratedReview } from '#contract/reviews/review-moderation.ts';
import { Form } from '#web/form/form.tsx';
import { hasChanged, refused, useReread } from '#web/lib/case-decision.tsx';
import { forgetOfficeDraft } from '#web/lib/office-drafts.ts';
import { useWrite } from '#web/lib/write.ts';
import { moderationWrites, NewText } from './decision-dialog.tsx';

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

const AppealForm = z.strictObject({
  outcome: z.enum(APPEAL_OUTCOMES, 'Please choose an outcome'),
  answer: AppealDecisionRequest.shape.answer,
});

/** Asks for the outcome and the answer. Mount it only while it is open. */
export function AppealDialog({ moderated, caseId, onDone, onClose }: AppealDialogProps) {
  const { review, version } = moderated;
  const draft = `${review.id}:appeal`;
  const [outcome, setOutcome] = useState<AppealOutcome | null>(null);
  const { send, error } = useWrite(moderationWrites, 'decideAppeal', {
    onDone() {
      forgetOfficeDraft(draft);
      if (outcome) onDone(OUTCOMES[outcome].done);
    },
    onError: useReread(),
  });
  return (
    <Form
      dialog={{ title: 'Decide appeal', isBeside: true }}
      schema={AppealForm}
      fields={[
        {
          name: 'outcome',
          label: 'Outcome',
          kind: 'select',
          placeholder: 'Choose an outcome',
          options: APPEAL_OUTCOMES.map((one) => [one, OUTCOMES[one].label]),
        },
        {
          name: 'answer',
          label: 'Answer',
          hint: 'The author will see this.',
          kind: 'area',
          maxLength: APPEAL_MAX,
        },
      ]}
      action="Decide appeal"
      draft={draft}
      error={error}
      failure={refused('appeal', review.id)}
      onSubmit={(body) => {
        setOutcome(body.outcome);
        return send({ params: { id: review.id }, body: { ...body, case_id: caseId, version } });
      }}
      onCancel={onClose}
    >
      {hasChanged(error) && <NewText review={review} />}
    </Form>
  );
}
