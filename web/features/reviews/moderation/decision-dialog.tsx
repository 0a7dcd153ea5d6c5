import { type FormEvent, useState } from 'react';
import * as z from 'zod/mini';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { replyDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { APPEAL_MAX, REMOVAL_REASON_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REVIEW_TEXT_KEYS, REVIEW_TEXTS } from '#contract/review-choices.ts';
import {
  DECISION_SOURCES,
  type DecisionOutcome,
  GIVEN_SOURCES,
  REVIEW_RULE_KEYS,
  REVIEW_RULES,
} from '#contract/review-rules.ts';
import {
  APPEAL_OUTCOMES,
  AppealDecisionRequest,
  type AppealOutcome,
} from '#contract/reviews/review-appeals.ts';
import {
  KeepingRequest,
  type ModeratedReview,
  RemovalRequest,
} from '#contract/reviews/review-moderation.ts';
import type { ReviewRecord } from '#contract/reviews/reviews.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { hasChanged, refused, useReread } from '#web/lib/case-decision.tsx';
import { call, pageWrites, useWrite } from '#web/lib/write.ts';

export const DECISIONS: Record<DecisionOutcome, Record<'action' | 'question' | 'done', string>> = {
  remove: {
    action: 'Remove review',
    question:
      'The review will no longer be public, and its ratings will no longer count. Only its author will still see it, with your reason.',
    done: 'The review has been removed. The author can read your reason.',
  },
  hold: {
    action: 'Hide until edited',
    question:
      'The review will no longer be public, and its ratings will no longer count. Its author will see your reason and may edit the review. It will then show up here again.',
    done: 'The review is hidden until its author edits it.',
  },
  keep: {
    action: 'Keep review',
    question: 'The review will stay as it is, and its reports will be closed.',
    done: 'The review stays, and its reports are closed.',
  },
  restore: {
    action: 'Restore review',
    question: 'The review will return to the public pages, and its ratings will count again.',
    done: 'The review has been restored.',
  },
};

/** A hidden review that awaits a decision is either restored or hidden for good. */
export function decisionsFor(moderated: ModeratedReview): DecisionOutcome[] {
  const { review, appeal } = moderated;
  if (appeal) return [];
  if (review.removed_reason === null) return ['remove', 'hold', 'keep'];
  return awaitsDecision(moderated) ? ['remove', 'hold', 'restore'] : ['restore'];
}

export const awaitsDecision = ({ reports, is_resubmitted }: ModeratedReview) =>
  reports.length > 0 || is_resubmitted;

/** The reason once a rule is chosen: the rule's text to start from, unless something was typed. */
export function reasonFor(chosen: string, reason: string): string {
  const rule = REVIEW_RULE_KEYS.find((one) => one === chosen);
  const isTyped =
    reason.trim() !== '' && REVIEW_RULE_KEYS.every((one) => REVIEW_RULES[one].reason !== reason);
  return rule === undefined || isTyped ? reason : REVIEW_RULES[rule].reason;
}

export const moderationWrites = pageWrites({
  remove: call(moderationEndpoints.remove),
  decideAppeal: call(moderationEndpoints.decideAppeal),
  hold: call(moderationEndpoints.hold),
  keep: call(moderationEndpoints.keep),
  secondLook: call(moderationEndpoints.secondLook),
  keep_reply: call(replyDecisionEndpoints.keep),
  remove_reply: call(replyDecisionEndpoints.remove),
  restore: call(moderationEndpoints.restore),
});

interface DialogProps {
  moderated: ModeratedReview;
  /** The case in the queue that this decides. */
  caseId: string | undefined;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** What a moderator decides: about a review, or about the appeal of its author. */
export type Decision = DecisionOutcome | 'appeal';

/** Mount it only while it is open. */
export function DecisionDialog({ decision, ...dialog }: DialogProps & { decision: Decision }) {
  return decision === 'appeal' ? (
    <AppealDialog {...dialog} />
  ) : (
    <OutcomeDialog {...dialog} decision={decision} />
  );
}

/** Asks for the rule, and for a text to the author. */
function OutcomeDialog(props: DialogProps & { decision: DecisionOutcome }) {
  const { moderated, decision, caseId, onDone, onClose } = props;
  const { review, version } = moderated;
  const { action, question, done } = DECISIONS[decision];
  const isHiding = decision === 'remove' || decision === 'hold';
  const { send, error } = useWrite(moderationWrites, decision, {
    onDone: () => onDone(done),
    onError: useReread(),
  });
  return (
    <Form<RemovalRequest | KeepingRequest>
      dialog={{ title: action, isBeside: true }}
      schema={isHiding ? RemovalRequest : KeepingRequest}
      fields={[
        ...groundsFields(isHiding),
        isHiding && reasonField('The author will see this.'),
        decision === 'restore' && {
          ...reasonField('The author will see this.'),
          name: 'note',
          label: 'Note (optional)',
        },
      ]}
      action={{ text: action, variant: isHiding ? 'danger' : 'primary' }}
      draft={`${review.id}:${decision}`}
      error={error}
      failure={refused('report', review.id)}
      onSubmit={(body) =>
        send({ params: { id: review.id }, body: { ...body, case_id: caseId, version } })
      }
      onCancel={onClose}
    >
      <p>{question}</p>
      {hasChanged(error) && <NewText review={review} />}
    </Form>
  );
}

const APPEALS: Record<AppealOutcome, { label: string; done: string }> = {
  uphold: {
    label: 'Uphold: stays hidden',
    done: 'The appeal has been rejected. The author can read your answer.',
  },
  overturn: {
    label: 'Overturn: public again',
    done: 'The appeal succeeded. The review is public again.',
  },
};

const AppealForm = z.strictObject({
  outcome: z.enum(APPEAL_OUTCOMES, 'Please choose an outcome'),
  answer: AppealDecisionRequest.shape.answer,
});

/** Asks for the outcome and the answer. */
function AppealDialog({ moderated, caseId, onDone, onClose }: DialogProps) {
  const { review, version } = moderated;
  const [outcome, setOutcome] = useState<AppealOutcome | null>(null);
  const { send, error } = useWrite(moderationWrites, 'decideAppeal', {
    onDone: () => outcome && onDone(APPEALS[outcome].done),
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
          options: APPEAL_OUTCOMES.map((one) => [one, APPEALS[one].label]),
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
      draft={`${review.id}:appeal`}
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

/** A review that has changed while its moderator was deciding. */
const NewText = ({ review }: { review: ReviewRecord }) => (
  <blockquote
    aria-label="New text"
    className="flex flex-col gap-3 border-l-3 border-control pl-4 whitespace-pre-line wrap-anywhere"
  >
    <p className="font-semibold">{titleCase(review.position_title)}</p>
    {REVIEW_TEXT_KEYS.filter((field) => review[field]).map((field) => (
      <p key={field}>
        {field === 'review_text' ? review[field] : `${REVIEW_TEXTS[field]}: ${review[field]}`}
      </p>
    ))}
  </blockquote>
);

/** What every decision says. With `startsReason`, choosing a rule fills the form's reason. */
export const groundsFields = (startsReason: boolean): FieldSpec[] => [
  {
    name: 'rule',
    label: 'Rule',
    hint: 'It is published, but not together with the review.',
    kind: 'select',
    placeholder: 'Choose a rule',
    options: REVIEW_RULE_KEYS.map((rule) => [rule, REVIEW_RULES[rule].name]),
    onInput: startsReason ? startReason : undefined,
  },
  {
    name: 'source',
    label: 'Found by',
    hint: 'Automatic: a report if there is one, otherwise a moderator.',
    kind: 'select',
    placeholder: 'Automatic',
    options: GIVEN_SOURCES.map((source) => [source, DECISION_SOURCES[source]]),
    read: (source) => source || undefined,
  },
];

// On input, so that the form saves the reason together with the rule.
function startReason({ currentTarget }: FormEvent<HTMLElement>) {
  const { form, value } = currentTarget as HTMLSelectElement;
  const reason = form?.elements.namedItem('reason');
  if (reason instanceof HTMLTextAreaElement) reason.value = reasonFor(value, reason.value);
}

export const reasonField = (hint: string): FieldSpec => ({
  name: 'reason',
  label: 'Reason',
  hint,
  kind: 'area',
  maxLength: REMOVAL_REASON_MAX,
});
