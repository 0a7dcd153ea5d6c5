import { sql } from 'kysely';
import type { AnsweredReport } from '#contract/review-feedback.ts';
import type { Db } from '#server/db/open.ts';

/** A review with answered reports, of itself or of its reply. */
export interface Candidate {
  readonly about: AnsweredReport['about'];
  readonly id: string;
}

/** The newest answers since a day (review_reports_answered, reply_reports_answered). */
export async function selectCandidates(db: Db, since: string, most: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select about, review_id as id from (
      select 'review' as about, review_id, closed_on from review_reports
      where closed_on >= ${since}
      union all
      select 'reply', review_id, closed_on from reply_reports
      where closed_on >= ${since}
      order by closed_on desc, review_id desc limit ${sql.lit(most)}
    ) as newest
    group by about, review_id
    order by review_id, about desc`.execute(db);
  return rows;
}

/** A review, and the key of a reporter for it. */
interface OwnKey {
  readonly id: string;
  readonly key: Buffer;
}

const own = (keys: readonly OwnKey[]) => sql`
  unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ key }) => key)}::bytea[])
    as own (review_id, reporter_key)`;

/**
 * The outcomes of the answered reports with these keys, by the primary keys of the two tables. For
 * a review, the last decision since the report that changed whether it is public: a later decision
 * to keep it would reveal that somebody else reported it.
 */
export async function selectAnswers(
  db: Db,
  keys: Readonly<Record<AnsweredReport['about'], readonly OwnKey[]>>,
): Promise<AnsweredReport[]> {
  const { rows } = await sql<AnsweredReport>`
    select answer.about, answer.outcome, answer.rule,
      to_char(answer.decided_on, 'YYYY-MM-DD') as decided_on, review.employer_name as employer,
      case when review.removed_reason is null then review.position_title end as position_title,
      case when review.removed_reason is null then review.id end as review_id
    from (
      select 'review' as about, report.review_id, last.rule, last.decided_on,
        case
          when last.outcome = 'keep' then 'kept'
          when last.outcome = 'restore' or last.is_overturned then 'restored'
          else 'removed'
        end as outcome
      from ${own(keys.review)}
      join review_reports as report using (review_id, reporter_key)
      cross join lateral (
        select decision.outcome, decision.rule,
          coalesce(appeal.answered_on, decision.decided_on) as decided_on,
          appeal.outcome is not null as is_overturned
        from review_decisions as decision
        -- A rejected appeal changed nothing, and its day would reveal that the author appealed.
        left join review_appeals as appeal
          on appeal.decision_id = decision.id and appeal.outcome = 'overturn'
        where decision.review_id = report.review_id
          and decision.number >= report.decision
          and (decision.number = report.decision or decision.outcome <> 'keep')
        order by decision.number desc limit 1
      ) as last
      union all
      select 'reply', report.review_id,
        case when is_same then report.rule else reply.rule end,
        case when is_same then report.closed_on else reply.decided_on end,
        case
          when reply.removed or is_same and report.outcome = 'remove' then 'removed'
          when is_same then 'kept'
          else 'restored'
        end
      from ${own(keys.reply)}
      join reply_reports as report using (review_id, reporter_key)
      join review_replies as reply using (review_id)
      -- Without a decision, another reply has replaced the reported one.
      cross join lateral (
        select reply.decided_on is null or reply.removed = (report.outcome = 'remove') as is_same
      ) as now
      where report.closed
    ) as answer
    join reviews as review on review.id = answer.review_id
    order by answer.review_id, answer.about desc`.execute(db);
  return rows;
}
