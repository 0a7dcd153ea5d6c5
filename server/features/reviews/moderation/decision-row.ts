import { APPEAL_DAYS, DAY_MS } from '#contract/limits.ts';
import type { DecisionOutcome, DecisionSource, ReviewRule } from '#contract/review-rules.ts';
import type {
  Appeal,
  AppealOutcome,
  OpenAppeal,
  OwnDecision,
} from '#contract/reviews/review-appeals.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { type DecisionRow, isAppealOpen } from './decision-queries.ts';

/** The parts of a decision that moderators and its author see. */
export const toDecision = ({
  outcome,
  rule,
  note,
  source,
  decided_on,
}: Pick<DecisionRow, 'outcome' | 'rule' | 'note' | 'source' | 'decided_on'>) => ({
  outcome: outcome as DecisionOutcome,
  rule: rule as ReviewRule,
  note,
  source: source as DecisionSource,
  decided_on,
});

export const toOpenAppeal = (row: DecisionRow & { text: string | null }): OpenAppeal => ({
  text: row.text ?? '',
  decision: toDecision(row),
});

/** The last day to appeal a decision. */
export const lastDayToAppeal = (decidedOn: string) =>
  toDay(new Date(Date.parse(decidedOn) + APPEAL_DAYS * DAY_MS));

const HIDING: readonly string[] = ['remove', 'hold'];

/** Whether the decision hides a review that does not wait for another decision. */
export const isInForce = ({ outcome, is_hidden, is_waiting, appeal_outcome }: DecisionRow) =>
  HIDING.includes(outcome) && is_hidden && !is_waiting && appeal_outcome !== 'overturn';

/** Hidden until its author edits it. */
export const isHeld = ({ outcome, is_hidden }: DecisionRow) => outcome === 'hold' && is_hidden;

/** The appeal against a decision, if there is one. */
export const toAppeal = ({
  text,
  appeal_outcome,
  answer,
  answered_on,
}: Pick<DecisionRow, 'text' | 'appeal_outcome' | 'answer' | 'answered_on'>): Appeal | null =>
  text === null
    ? null
    : { text, outcome: appeal_outcome as AppealOutcome | null, answer: answer ?? '', answered_on };

/** A decision as the author sees it. */
export function toOwnDecision(row: DecisionRow, now: Date): OwnDecision {
  const { outcome, decided_on } = row;
  const until = lastDayToAppeal(decided_on);
  const appeal = toAppeal(row);
  return {
    ...toDecision(row),
    may_edit: isInForce(row) && outcome === 'hold' && !isAppealOpen(row),
    awaits_moderator: row.is_hidden && row.is_waiting,
    appeal_until: isInForce(row) && appeal === null && toDay(now) <= until ? until : null,
    appeal,
  };
}
