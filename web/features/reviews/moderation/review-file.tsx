import { useState } from 'react';
import type { CaseKind } from '#contract/cases.ts';
import type { CaseFile } from '#contract/office/case-queue.ts';
import type { DecisionOutcome } from '#contract/review-rules.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import type { DecidedAnywhere } from '#web/lib/case-decision.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { AppealDialog } from './appeal-dialog.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { moderationWrites } from './decisions.ts';
import { ModeratedEntry } from './moderated-list.tsx';

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
  const [asked, ask] = useState<DecisionOutcome | 'appeal' | null>(null);
  const finish = (done: string) => onDecided(done, true);
  return (
    <div ref={decision}>
      <h2 className="sr-only">Review and reports</h2>
      <ModeratedEntry moderated={file} onDecide={ask} />
      {asked === 'appeal' && (
        <AppealDialog moderated={file} caseId={caseId} onDone={finish} onClose={() => ask(null)} />
      )}
      {asked && asked !== 'appeal' && (
        <DecisionDialog
          moderated={file}
          decision={asked}
          caseId={caseId}
          onDone={finish}
          onClose={() => ask(null)}
        />
      )}
    </div>
  );
}
