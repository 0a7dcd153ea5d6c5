import { useState } from 'react';
import { REMOVAL_REASON_MAX } from '#contract/limits.ts';
import { RemovalRequest } from '#contract/review-moderation.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Dialog, FormButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { DECISIONS, type Decision, moderationWrites } from './decisions.ts';

interface DecisionDialogProps {
  reviewId: string;
  decision: Decision;
  onDone: (text: string) => void;
  onClose: () => void;
}

const FORM_ID = 'decision';

/** Asks for confirmation, and for the reason of a removal. Mount it while the question is open. */
export function DecisionDialog({ reviewId, decision, onDone, onClose }: DecisionDialogProps) {
  const [reasonError, setReasonError] = useState<string>();
  const { action, question, done } = DECISIONS[decision];
  const { send, isBusy, error } = useWrite(moderationWrites, decision, {
    onDone: () => onDone(done),
  });

  function submit(reason: string) {
    const params = { id: reviewId };
    if (decision !== 'remove') return void send({ params });
    const message = RemovalRequest.safeParse({ reason }).error?.issues[0]?.message;
    setReasonError(message);
    if (message === undefined) void send({ params, body: { reason } });
  }

  return (
    <Dialog
      title={action}
      onClose={onClose}
      actions={
        <FormButtons
          form={FORM_ID}
          busy={isBusy}
          variant={decision === 'remove' ? 'danger' : 'primary'}
          onCancel={onClose}
        >
          {action}
        </FormButtons>
      }
    >
      <form
        id={FORM_ID}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(String(new FormData(event.currentTarget).get('reason') ?? ''));
        }}
        className="flex flex-col gap-5"
      >
        <p>{question}</p>
        {error && <Banner tone="error">{error.message}</Banner>}
        {decision === 'remove' && (
          <Field label="Reason" hint="The author reads this." error={reasonError}>
            {(control) => <TextArea {...control} name="reason" maxLength={REMOVAL_REASON_MAX} />}
          </Field>
        )}
      </form>
    </Dialog>
  );
}
