import { type Insertable, type SqlBool, sql } from 'kysely';
import { APPEAL_DAYS, DAY_MS } from '#contract/limits.ts';
import type { DecisionOutcome, DecisionSource, ReviewRule } from '#contract/review-rules.ts';
import type {
  Appeal,
  AppealOutcome,
  OpenAppeal,
  OwnDecision,
} from '#contract/reviews/review-appeals.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { awaitsLookBy } from '#server/cases/queue.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';

type NewDecision = Omit<Insertable<DB['review_decisions']>, 'id' | 'number'> & {
  review_id: string;
  decided_on: string;
};

/** Adds the next decision about a review. The review must be locked. */
export async function insertDecision(trx: Db, decision: NewDecision) {
  const { number } = await trx
    .insertInto('review_decisions')
    .values({
      ...decision,
      number: sql<number>`1 + (
        select coalesce(max(number), 0) from review_decisions
        where review_id = ${decision.review_id}
      )`,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  return { review_id: decision.review_id, decided_on: decision.decided_on, number };
}

/** All decisions about a review with their appeals, oldest first. */
export const selectReviewDecisions = (db: Db, reviewId: string) =>
  db
    .selectFrom('review_decisions as decision')
    .leftJoin('review_appeals as appeal', 'appeal.decision_id', 'decision.id')
    .select(['decision.number', 'decision.decided_on', 'decision.outcome', 'decision.rule'])
    .select(['decision.note', 'decision.source', 'decision.decided_by', 'appeal.text'])
    .select(['appeal.outcome as appeal_outcome', 'appeal.answer', 'appeal.answered_on'])
    .where('decision.review_id', '=', reviewId)
    .orderBy('decision.number')
    .execute();

/**
 * The latest decisions of moderators about the other reviews of a review's employer, or only those
 * under the rule of the last decision about that review. Not those that an appeal has overturned, nor
 * what the viewer should look at without knowing the first decision.
 */
export const selectSimilarDecisions = (
  db: Db,
  reviewId: string,
  { viewer, sameRule, limit }: { viewer: string; sameRule: boolean; limit: number },
) =>
  db
    .selectFrom('review_decisions as decision')
    .innerJoin('reviews', 'reviews.id', 'decision.review_id')
    .select(['decision.review_id as review', 'reviews.position_title', 'decision.outcome'])
    .select(['decision.rule', 'decision.decided_on', 'decision.decided_by'])
    .where('reviews.id', '<>', reviewId)
    .where('decision.source', '<>', 'employer')
    .where(sql<SqlBool>`not exists (
      select from review_appeals as appeal
      where appeal.decision_id = decision.id and appeal.outcome = 'overturn'
    )`)
    .where(sql<SqlBool>`not ${awaitsLookBy(viewer, sql.ref('decision.review_id'))}`)
    .where((eb) =>
      eb(
        'reviews.employer_id',
        '=',
        eb.selectFrom('reviews as own').select('own.employer_id').where('own.id', '=', reviewId),
      ),
    )
    .where(sql<SqlBool>`(not ${sameRule} or decision.rule = (
      select last.rule from review_decisions as last where last.review_id = ${reviewId}
      order by last.number desc limit 1
    ))`)
    .orderBy('decision.decided_on', 'desc')
    .orderBy('decision.review_id')
    .orderBy('decision.number', 'desc')
    .limit(limit)
    .execute();

/** The last decision about each of these reviews, with its appeal and the state of the review. */
export const selectLastDecisions = (db: Db, reviewIds: readonly string[]) =>
  lastDecisions(db, reviewIds).execute();
type DecisionRow = Awaited<ReturnType<typeof selectLastDecisions>>[number];

/** The same for decisions that changed whether the review is public. */
export const selectLastChanges = (db: Db, reviewIds: readonly string[]) =>
  lastDecisions(db, reviewIds).where('decision.outcome', '<>', 'keep').execute();

function lastDecisions(db: Db, reviewIds: readonly string[]) {
  return db
    .selectFrom('review_decisions as decision')
    .innerJoin('reviews', 'reviews.id', 'decision.review_id')
    .leftJoin('review_appeals as appeal', 'appeal.decision_id', 'decision.id')
    .distinctOn('decision.review_id')
    .select([
      'decision.id',
      'decision.review_id',
      'decision.decided_on',
      'decision.outcome',
      'decision.rule',
      'decision.note',
      'decision.source',
      'decision.decided_by',
      'appeal.text',
      'appeal.outcome as appeal_outcome',
      'appeal.answer',
      'appeal.answered_on',
    ])
    .select((eb) => [
      eb('reviews.removed_reason', 'is not', null).$castTo<boolean>().as('is_hidden'),
      eb
        .exists(
          eb
            .selectFrom('review_reports')
            .select('review_reports.review_id')
            .whereRef('review_reports.review_id', '=', 'decision.review_id')
            .where('review_reports.closed', '=', false),
        )
        .$castTo<boolean>()
        .as('is_waiting'),
    ])
    .where('decision.review_id', '=', anyOf('uuid', reviewIds))
    .orderBy('decision.review_id')
    .orderBy('decision.number', 'desc');
}

/** The last decisions about these reviews, if their appeals wait for a moderator. */
export async function selectOpenAppeals(db: Db, reviewIds: readonly string[]) {
  const rows = await selectLastChanges(db, reviewIds);
  return rows.filter(isAppealOpen);
}

export const isAppealOpen = ({ text, appeal_outcome }: DecisionRow): boolean =>
  text !== null && appeal_outcome === null;

/** Returns false if the decision already has an appeal. */
export async function insertAppeal(trx: Db, decision_id: string, text: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('review_appeals')
    .values({ decision_id, text })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function answerAppeal(
  trx: Db,
  decisionId: string,
  answered: { outcome: string; answer: string; answered_on: string },
): Promise<void> {
  await trx
    .updateTable('review_appeals')
    .set(answered)
    .where('decision_id', '=', decisionId)
    .execute();
}

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
