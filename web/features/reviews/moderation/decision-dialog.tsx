import { type FormEvent, useState } from 'react';
import { REMOVAL_REASON_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REVIEW_TEXT_KEYS, REVIEW_TEXTS } from '#contract/review-choices.ts';
import { type ModeratedReview, RemovalRequest } from '#contract/review-moderation.ts';
import {
  DECISION_SOURCES,
  type DecisionOutcome,
  GIVEN_SOURCES,
  REVIEW_RULE_KEYS,
  REVIEW_RULES,
} from '#contract/review-rules.ts';
import type { ReviewRecord } from '#contract/reviews.ts';
import { hasChanged, useReread } from '#web/lib/changed-meanwhile.ts';
import { useOfficeDraft } from '#web/lib/office-drafts.ts';
import { Refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { DECISIONS, moderationWrites, reasonFor } from './decisions.ts';

interface DecisionDialogProps {
  moderated: ModeratedReview;
  decision: DecisionOutcome;
  /** The case in the queue that this decides. */
  caseId: string | undefined;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** Asks for the rule, and for a text to the author. Mount it only while it is open. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { moderated, decision, caseId, onDone, onClose } = props;
  const { review, version } = moderated;
  const draft = useOfficeDraft(`${review.id}:${decision}`);
  const { action, question, done } = DECISIONS[decision];
  const isHiding = decision === 'remove' || decision === 'hold';
  const { errors, check } = useGrounds({ needsReason: isHiding });
  const { send, isBusy, error } = useWrite(moderationWrites, decision, {
    onDone() {
      draft.forget();
      onDone(done);
    },
    onError: useReread(),
  });

  function submit(form: FormData) {
    const checked = check(form);
    if (!checked) return;
    const { reason, ...grounds } = checked;
    const text = isHiding ? { reason } : { note: reason };
    const body = { ...grounds, ...text, case_id: caseId, version };
    void send({ params: { id: review.id }, body });
  }

  return (
    <FormDialog
      title={action}
      action={action}
      busy={isBusy}
      isBeside
      variant={isHiding ? 'danger' : 'primary'}
      onSubmit={submit}
      form={draft.form}
      onClose={onClose}
    >
      <p>{question}</p>
      {error && <Refused error={error} kind="report" subject={review.id} />}
      {hasChanged(error) && <NewText review={review} />}
      <GroundsFields ruleError={errors.rule} startsReason={isHiding} />
      {(isHiding || decision === 'restore') && (
        <Field
          label={isHiding ? 'Reason' : 'Note (optional)'}
          hint="The author will see this."
          error={errors.reason}
        >
          {(control) => <TextArea {...control} name="reason" maxLength={REMOVAL_REASON_MAX} />}
        </Field>
      )}
    </FormDialog>
  );
}

/** A review that has changed while its moderator was deciding. */
export const NewText = ({ review }: { review: ReviewRecord }) => (
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

interface GroundsErrors {
  rule?: string | undefined;
  reason?: string | undefined;
}

/** Checks what was typed in `GroundsFields`, and the reason. `check` returns null if it shows errors. */
export function useGrounds({ needsReason }: { needsReason: boolean }) {
  const [errors, setErrors] = useState<GroundsErrors>({});
  function check(form: FormData) {
    const rule = REVIEW_RULE_KEYS.find((one) => one === form.get('rule'));
    const source = GIVEN_SOURCES.find((one) => one === form.get('source'));
    const reason = String(form.get('reason') ?? '');
    const invalid = needsReason && RemovalRequest.safeParse({ reason }).error?.issues[0]?.message;
    setErrors({ rule: rule ? undefined : 'Please choose a rule', reason: invalid || undefined });
    return rule && !invalid ? { rule, source, reason } : null;
  }
  return { errors, check };
}

interface GroundsFieldsProps {
  ruleError: string | undefined;
  /** Whether choosing a rule fills the form's reason. */
  startsReason: boolean;
}

export function GroundsFields({ ruleError, startsReason }: GroundsFieldsProps) {
  // On input, so that the form saves the reason together with the rule.
  function startReason({ currentTarget: { value, form } }: FormEvent<HTMLSelectElement>) {
    const reason = form?.elements.namedItem('reason');
    if (reason instanceof HTMLTextAreaElement) reason.value = reasonFor(value, reason.value);
  }
  return (
    <>
      <Field
        label="Rule"
        hint="It is published, but not together with the review."
        error={ruleError}
      >
        {(control) => (
          <Select
            {...control}
            name="rule"
            defaultValue=""
            onInput={startsReason ? startReason : undefined}
          >
            <option value="">Choose a rule</option>
            {REVIEW_RULE_KEYS.map((rule) => (
              <option key={rule} value={rule}>
                {REVIEW_RULES[rule].name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Found by" hint="Automatic: a report if there is one, otherwise a moderator.">
        {(control) => (
          <Select {...control} name="source" defaultValue="">
            <option value="">Automatic</option>
            {GIVEN_SOURCES.map((source) => (
              <option key={source} value={source}>
                {DECISION_SOURCES[source]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
