import { useId, useState } from 'react';
import { REPORT_NOTE_MAX } from '#contract/limits.ts';
import { FEEDBACK_MESSAGES, REPORT_REASONS, ReportRequest } from '#contract/review-feedback.ts';
import { REPLY_MESSAGES } from '#contract/review-replies.ts';
import { paths } from '#web/lib/paths.ts';
import { textMember } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Radio } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, FieldError } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { NewTabLink } from '#web/ui/new-tab-link.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { feedbackWrites } from './feedback.ts';

interface ReportDialogProps {
  reviewId: string;
  /** What is reported. A reply has the id of its review. */
  what?: 'review' | 'reply';
  /** The employer's name. */
  about: string;
  onClose: () => void;
}

/** Asks for the reason. Mount it while the user is reporting a review. */
export function ReportDialog({ reviewId, what = 'review', about, onClose }: ReportDialogProps) {
  const id = useId();
  const { send, isBusy, isDone, error } = useWrite(
    feedbackWrites,
    what === 'reply' ? 'reportReply' : 'report',
  );
  const [reasonError, setReasonError] = useState<string | null>(null);

  function submit(form: FormData) {
    const report = ReportRequest.safeParse(Object.fromEntries(form));
    setReasonError(report.error?.issues[0]?.message ?? null);
    if (report.success) void send({ params: { id: reviewId }, body: report.data });
  }

  if (isDone) {
    return (
      // The key makes this a new dialog, so that the focus moves into it.
      <Dialog
        key="sent"
        title="Report sent"
        onClose={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p role="status">
          {what === 'reply' ? REPLY_MESSAGES.reported : FEEDBACK_MESSAGES.reported}
        </p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={`Report this ${what}`}
      action={isBusy ? 'Sending...' : 'Send report'}
      busy={isBusy}
      onSubmit={submit}
      onClose={onClose}
      className="flex flex-col gap-4 text-ink"
    >
      <p className="text-sm text-ink-soft">
        What is wrong with this <span>{`${what} ${what === 'reply' ? 'from' : 'of'}`}</span> {about}
        ? A moderator sees your report, never your name. See the{' '}
        <NewTabLink to={paths.guidelines('moderation')}>Guidelines</NewTabLink> and{' '}
        <NewTabLink to={paths.howItWorks()}>How it works</NewTabLink>.
      </p>
      {error && reasonError === null && (
        <Banner tone="error">{textMember(error.response?.body, 'detail') ?? error.message}</Banner>
      )}
      <fieldset aria-describedby={reasonError ? `${id}-reason` : undefined}>
        <legend className="text-sm font-semibold">Reason</legend>
        {Object.entries(REPORT_REASONS).map(([reason, label]) => (
          <Radio key={reason} name="reason" value={reason} label={label} />
        ))}
        {reasonError && <FieldError id={`${id}-reason`}>{reasonError}</FieldError>}
      </fieldset>
      <Field
        label="Note (optional)"
        hint="Please leave out anything that identifies you or a patient."
      >
        {(control) => <TextArea {...control} name="note" rows={3} maxLength={REPORT_NOTE_MAX} />}
      </Field>
    </FormDialog>
  );
}
