import { useId, useState } from 'react';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { REPORT_NOTE_MAX } from '#contract/limits.ts';
import { FEEDBACK_MESSAGES, REPORT_REASONS, ReportRequest } from '#contract/review-feedback.ts';
import { api } from '#web/lib/session.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Radio } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, FieldErrors } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';

interface ReportDialogProps {
  reviewId: string;
  /** The employer's name. */
  about: string;
  onReported: () => void;
  onClose: () => void;
}

type Stage = 'asking' | 'sending' | 'sent';

/** Why a review should not be there. Mount it while somebody reports. */
export function ReportDialog({ reviewId, about, onReported, onClose }: ReportDialogProps) {
  const id = useId();
  const [stage, setStage] = useState<Stage>('asking');
  const [reasonError, setReasonError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function send(form: FormData) {
    const report = ReportRequest.safeParse(Object.fromEntries(form));
    setReasonError(report.error?.issues[0]?.message ?? null);
    setFailure(null);
    if (!report.success) return;
    setStage('sending');
    try {
      await api.call(feedbackEndpoints.report, { params: { id: reviewId }, body: report.data });
      setStage('sent');
      onReported();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(textMember(error.response?.body, 'detail') ?? error.message);
      setStage('asking');
    }
  }

  if (stage === 'sent') {
    return (
      // Another dialog, so that the focus moves into it.
      <Dialog
        key="sent"
        title="Report sent"
        isOpen
        onClose={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p role="status">{FEEDBACK_MESSAGES.reported}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Report this review"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={stage === 'sending'}>
            {stage === 'sending' ? 'Sending...' : 'Send report'}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (stage === 'asking') void send(new FormData(event.currentTarget));
        }}
        className="flex flex-col gap-4 text-ink"
      >
        <p className="text-sm text-ink-soft">
          What is wrong with this review of {about}? A moderator reads what you say here, but never
          who says it.
        </p>
        {failure && <Banner tone="error">{failure}</Banner>}
        <fieldset aria-describedby={reasonError ? `${id}-reason` : undefined}>
          <legend className="text-sm font-semibold">Reason</legend>
          {Object.entries(REPORT_REASONS).map(([reason, label]) => (
            <Radio key={reason} name="reason" value={reason} label={label} />
          ))}
          {reasonError && <FieldErrors id={`${id}-reason`} errors={[reasonError]} />}
        </fieldset>
        <Field
          label="Note (optional)"
          hint="Please leave out anything that names you or a patient."
        >
          {(control) => <TextArea {...control} name="note" rows={3} maxLength={REPORT_NOTE_MAX} />}
        </Field>
      </form>
    </Dialog>
  );
}
