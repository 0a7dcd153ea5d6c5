import { useState } from 'react';
import { REMOVAL_REASON_MAX } from '#contract/limits.ts';
import { RemovalRequest } from '#contract/review-moderation.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { DECISIONS, type Decision, decide } from './decisions.ts';

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
  const [isBusy, setBusy] = useState(false);
  const [reasonError, setReasonError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  const { action, question, done } = DECISIONS[decision];

  async function submit(reason: string) {
    if (decision === 'remove') {
      const error = RemovalRequest.safeParse({ reason }).error?.issues[0]?.message;
      setReasonError(error);
      if (error !== undefined) return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await decide(reviewId, decision, reason);
      onDone(done);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.message);
      setBusy(false);
    }
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
          void submit(String(new FormData(event.currentTarget).get('reason') ?? ''));
        }}
        className="flex flex-col gap-5"
      >
        <p>{question}</p>
        {failure && <Banner tone="error">{failure}</Banner>}
        {decision === 'remove' && (
          <Field label="Reason" hint="The author reads this." error={reasonError}>
            {(control) => <TextArea {...control} name="reason" maxLength={REMOVAL_REASON_MAX} />}
          </Field>
        )}
      </form>
    </Dialog>
  );
}
