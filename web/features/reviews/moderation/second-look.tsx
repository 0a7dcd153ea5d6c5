import type { CaseFile } from '#contract/case-queue.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import type { DecidedAnywhere } from '#web/lib/case-decision.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { moderationWrites } from './decisions.ts';
import { ModeratedEntry } from './moderated-list.tsx';

export interface ReviewFileProps extends DecidedAnywhere {
  file: CaseFile['file'] & { type: 'review' };
}

/**
 * Asks what the moderator would have decided about a review, without showing the decision that was
 * made.
 */
export function SecondLook({
  file,
  caseId,
  decision,
  onDecided,
}: ReviewFileProps & { caseId: string }) {
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
