import { useState } from 'react';
import { REMOVAL_REASON_MAX } from '#contract/limits.ts';
import { RemovalRequest } from '#contract/review-moderation.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { DECISIONS, type Decision, type DecisionWrite } from './decisions.ts';

interface DecisionDialogProps {
  reviewId: string;
  decision: Decision;
  /** It is done: `text` says what. */
  onDone: (text: string) => void;
  onClose: () => void;
}

const FORM_ID = 'decision';

/** Asks before it acts; a removal asks for its reason too. Mount it while there is a question. */
export function DecisionDialog({ reviewId, decision, onDone, onClose }: DecisionDialogProps) {
  const [reasonError, setReasonError] = useState<string>();
  const { action, question, done } = DECISIONS[decision];
  const { send, isBusy, outcome } = useWrite((outcome) => 'ok' in outcome && onDone(done));

  function submit(reason: string) {
    if (decision === 'remove') {
      const error = RemovalRequest.safeParse({ reason }).error?.issues[0]?.message;
      setReasonError(error);
      if (error !== undefined) return;
    }
    void send({ reviewId, decision, reason } satisfies DecisionWrite);
  }

  return (
    <Dialog
      title={action}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={FORM_ID}
            busy={isBusy}
            variant={decision === 'remove' ? 'danger' : 'primary'}
          >
            {action}
          </Button>
        </>
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
        {outcome && 'error' in outcome && <Banner tone="error">{outcome.error.message}</Banner>}
        {decision === 'remove' && (
          <Field label="Reason" hint="The author reads this." error={reasonError}>
            {(control) => <TextArea {...control} name="reason" maxLength={REMOVAL_REASON_MAX} />}
          </Field>
        )}
      </form>
    </Dialog>
  );
}
