import * as z from 'zod/mini';
import { DecisionReason } from '#contract/fields.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import type { FieldSpec, Option } from '#web/form/form-field.tsx';

/** Why something was decided. */
export const REASON_FIELD: FieldSpec = {
  name: 'reason',
  label: 'Reason',
  hint: 'For the audit log. Do not name anyone.',
  kind: 'area',
  maxLength: DECISION_REASON_MAX,
};

export const Reason = z.strictObject({ reason: DecisionReason });

/** Nothing is chosen at first: nobody decides by accident. */
export const decisionField = (options: readonly Option[], effect?: string): FieldSpec => ({
  name: 'decision',
  label: 'What to do',
  kind: 'select',
  hint: effect,
  placeholder: 'Choose a decision',
  options,
});

/** For a form with these two fields. */
export const decisionForm = <Decision extends string>(decisions: readonly Decision[]) =>
  z.strictObject({
    decision: z.enum(decisions, 'Please choose what to do'),
    reason: DecisionReason,
  });
