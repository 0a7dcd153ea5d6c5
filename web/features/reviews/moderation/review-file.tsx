import { useState } from 'react';
import type { CaseKind } from '#contract/cases.ts';
import { titleCase } from '#contract/names.ts';
import type { CaseFile } from '#contract/office/case-queue.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import {
  KeepingRequest,
  type ModeratedReply,
  RemovalRequest,
} from '#contract/reviews/review-moderation.ts';
import type { ReplyOutcome } from '#contract/reviews/review-replies.ts';
import { Form } from '#web/form/form.tsx';
import {
  type DecidedAnywhere,
  hasChanged,
  Refused,
  refused,
  useReread,
} from '#web/lib/case-decision.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ReviewCard } from '../review-card.tsx';
import {
  type Decision,
  DecisionDialog,
  groundsFields,
  moderationWrites,
  reasonField,
} from './decision-dialog.tsx';
import { Edited, ModeratedEntry, Reports } from './moderated-list.tsx';

interface ReviewFileProps extends DecidedAnywhere {
  file: CaseFile['file'] & { type: 'review' };
}

/**
 * Asks what the moderator would have decided about a review, without showing the decision that was
 * made.
 */
function SecondLook({ file, caseId, decision, onDecided }: ReviewFileProps & { caseId: string }) {
  const { send, isBusy, error } = useWrite(moderationWrites, 'secondLook', {
    onDone: ({ agrees, outcome, rule }) => {
      const made = `${DECISION_OUTCOMES[outcome]}, by “${REVIEW_RULES[rule].name}”.`;
      onDecided(`${agrees ? 'You agree' : 'You disagree'} with the decision: ${made}`);
    },
  });
  const look = (verdict: 'show' | 'hide') =>
    void send({ params: { id: file.review.id }, body: { verdict, case_id: caseId } });
  return (
    <>
      <h2 className="sr-only">Review and reports</h2>
      <ModeratedEntry moderated={file} />
      <section ref={decision} className="mt-8 max-w-[42rem]">
        <h2 className="font-display text-xl">Second look</h2>
        <p className="mt-2 mb-5 text-ink-soft">
          Another moderator has decided on this review. Tell us what you would have decided before
          you see the decision. This does not change anything for the review. How often two
          moderators disagree is public.
        </p>
        {error && (
          <div className="mb-5">
            <Refused error={error} kind="second_look" subject={file.review.id} />
          </div>
        )}
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" busy={isBusy} onClick={() => look('show')}>
            It should be public
          </Button>
          <Button variant="secondary" busy={isBusy} onClick={() => look('hide')}>
            It should be hidden
          </Button>
        </div>
      </section>
    </>
  );
}

/** A review with its reports. The office does not know who wrote or reported it. */
export function ReviewFile({ kind, ...props }: ReviewFileProps & { kind: CaseKind }) {
  const { caseId } = props;
  return kind === 'second_look' && caseId !== undefined ? (
    <SecondLook {...props} caseId={caseId} />
  ) : (
    <ReportedReview {...props} />
  );
}

function ReportedReview({ file, caseId, decision, onDecided }: ReviewFileProps) {
  const [asked, ask] = useState<Decision | null>(null);
  return (
    <div ref={decision}>
      <h2 className="sr-only">Review and reports</h2>
      <ModeratedEntry moderated={file} onDecide={ask} />
      {asked && (
        <DecisionDialog
          moderated={file}
          decision={asked}
          caseId={caseId}
          onDone={(done) => onDecided(done, true)}
          onClose={() => ask(null)}
        />
      )}
    </div>
  );
}

const REPLY_DECISIONS = {
  remove: {
    action: 'Remove reply',
    question:
      'The reply will no longer be public. The employer will still see it, with your reason.',
    done: 'The reply has been removed. The employer can read your reason.',
  },
  keep: {
    action: 'Keep reply',
    question: 'The reply will stay as it is, and its reports will be closed.',
    done: 'The reply stays, and its reports are closed.',
  },
} as const;

interface ReplyFileProps extends DecidedAnywhere {
  file: CaseFile['file'] & { type: 'reply' };
}

/** A reply with its review and its reports. The office does not know who wrote or reported them. */
export function ReplyFile({ file, caseId, decision, onDecided }: ReplyFileProps) {
  const { review, reply, reports, is_edited } = file;
  const [asked, ask] = useState<ReplyOutcome | null>(null);
  const { text, replied_on, other_employer } = reply;
  return (
    <div ref={decision}>
      <h2 className="sr-only">Reply and reports</h2>
      {reply.is_deleted && (
        <Banner tone="info" className="mb-6">
          The reply has been deleted. Nobody else sees it. Remove it to keep it from being written
          again.
        </Banner>
      )}
      {other_employer !== null && (
        <Banner tone="info" className="mb-6">
          {titleCase(other_employer)} wrote the reply before a merge was undone. Nobody else sees
          it.
        </Banner>
      )}
      {is_edited && <Edited by="employer" />}
      {reports.length > 0 && <Reports reports={reports} isByMonth />}
      <div className="mt-6">
        <ReviewCard
          review={{ ...review, reply: { text, replied_on } }}
          isExpanded
          actions={
            <div className="flex flex-wrap gap-3">
              {(['remove', 'keep'] as const).map((one) => (
                <Button
                  key={one}
                  size="sm"
                  variant={one === 'remove' ? 'danger' : 'secondary'}
                  onClick={() => ask(one)}
                >
                  {REPLY_DECISIONS[one].action}
                </Button>
              ))}
            </div>
          }
        />
      </div>
      {asked && (
        <ReplyDialog
          reviewId={review.id}
          reply={reply}
          outcome={asked}
          caseId={caseId}
          onDecided={onDecided}
          onClose={() => ask(null)}
        />
      )}
    </div>
  );
}

interface ReplyDialogProps extends Pick<ReplyFileProps, 'caseId' | 'onDecided'> {
  reviewId: string;
  reply: ModeratedReply['reply'];
  outcome: ReplyOutcome;
  onClose: () => void;
}

function ReplyDialog(props: ReplyDialogProps) {
  const { reviewId, reply, outcome, caseId, onDecided, onClose } = props;
  const { action, question, done } = REPLY_DECISIONS[outcome];
  const isRemoval = outcome === 'remove';
  const { send, error } = useWrite(moderationWrites, `${outcome}_reply`, {
    onDone: () => onDecided(done, true),
    onError: useReread(),
  });
  return (
    <Form<RemovalRequest | KeepingRequest>
      dialog={{ title: action, isBeside: true }}
      schema={isRemoval ? RemovalRequest : KeepingRequest}
      fields={[
        ...groundsFields(isRemoval),
        isRemoval && reasonField('The employer will see this.'),
      ]}
      action={{ text: action, variant: isRemoval ? 'danger' : 'primary' }}
      draft={`${reviewId}:${outcome}:reply`}
      error={error}
      failure={refused('reply', reviewId)}
      onSubmit={(body) =>
        send({
          params: { id: reviewId },
          body: { ...body, case_id: caseId, version: reply.version },
        })
      }
      onCancel={onClose}
    >
      <p>{question}</p>
      {hasChanged(error) && (
        <blockquote className="border-l-3 border-control pl-4 whitespace-pre-line wrap-anywhere">
          {reply.text}
        </blockquote>
      )}
    </Form>
  );
}
