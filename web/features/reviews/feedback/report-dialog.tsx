import { REPORT_NOTE_MAX } from '#contract/limits.ts';
import {
  FEEDBACK_MESSAGES,
  REPORT_REASONS,
  ReportRequest,
} from '#contract/reviews/review-feedback.ts';
import { REPLY_MESSAGES } from '#contract/reviews/review-replies.ts';
import { Form } from '#web/form/form.tsx';
import { paths } from '#web/lib/paths.ts';
import { textMember } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NewTabLink } from '#web/ui/links.tsx';
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
  const { send, isDone, error } = useWrite(
    feedbackWrites,
    what === 'reply' ? 'reportReply' : 'report',
  );

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
    <Form
      dialog={{ title: `Report this ${what}` }}
      schema={ReportRequest}
      fields={[
        {
          name: 'reason',
          label: 'Reason',
          kind: 'radios',
          options: Object.entries(REPORT_REASONS),
        },
        {
          name: 'note',
          label: 'Note (optional)',
          hint: 'Please leave out anything that identifies you or a patient.',
          kind: 'area',
          rows: 3,
          maxLength: REPORT_NOTE_MAX,
        },
      ]}
      action={{ text: 'Send report', busyText: 'Sending...' }}
      error={error}
      failure={(failed) => textMember(failed.response?.body, 'detail') ?? failed.message}
      onSubmit={(body) => send({ params: { id: reviewId }, body })}
      onCancel={onClose}
      form={{ className: 'flex flex-col gap-4' }}
    >
      <p className="text-sm text-ink-soft">
        What is wrong with this <span>{`${what} ${what === 'reply' ? 'from' : 'of'}`}</span> {about}
        ? A moderator sees your report, never your name. See the{' '}
        <NewTabLink to={paths.guidelines('moderation')}>Guidelines</NewTabLink> and{' '}
        <NewTabLink to={paths.howItWorks()}>How it works</NewTabLink>.
      </p>
    </Form>
  );
}
