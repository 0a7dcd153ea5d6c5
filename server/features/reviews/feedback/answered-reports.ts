import { setImmediate as yieldToRequests } from 'node:timers/promises';
import fastq from 'fastq';
import { sql } from 'kysely';
import { DAY_MS, REPORT_ANSWER_DAYS, REPORT_ANSWERS_SEARCHED } from '#contract/limits.ts';
import type { AnsweredReport } from '#contract/reviews/review-feedback.ts';
import type { Author } from '#server/anonymity/author.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { unavailable } from '#server/errors/app-error.ts';

/** A review with answered reports, of itself or of its reply. */
interface Candidate {
  readonly about: AnsweredReport['about'];
  readonly id: string;
}

/** The newest answers since a day (review_reports_answered, reply_reports_answered). */
async function selectCandidates(db: Db, since: string, most: number): Promise<Candidate[]> {
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
async function selectAnswers(
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

/** Computing the keys for this many reviews takes a few milliseconds of the event loop. */
const KEYS_AT_ONCE = 200;
const SEARCHES_WAITING = 30;

/**
 * Returns the outcomes of an author's reports. The reporter is not stored: a reporter's key is
 * different for each review, so this tries the reviews whose reports were answered most recently.
 * That is expensive, so searches run one at a time, and an author's simultaneous requests share
 * one. Throws `unavailable` if too many searches are waiting.
 */
export function answeredReports({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const queue = fastq.promise((author: Author) => {
    const since = toDay(new Date(clock().getTime() - REPORT_ANSWER_DAYS * DAY_MS));
    return search(db, author, since);
  }, 1);
  const running = new Map<string, Promise<AnsweredReport[]>>();
  return (author: Author): Promise<AnsweredReport[]> => {
    const same = running.get(author.writer);
    if (same) return same;
    if (queue.length() >= SEARCHES_WAITING) throw unavailable();
    const answers = queue.push(author).finally(() => running.delete(author.writer));
    running.set(author.writer, answers);
    return answers;
  };
}

async function search(db: Db, author: Author, since: string): Promise<AnsweredReport[]> {
  const candidates = await selectCandidates(db, since, REPORT_ANSWERS_SEARCHED);
  const found: AnsweredReport[] = [];
  for (let at = 0; at < candidates.length; at += KEYS_AT_ONCE) {
    const some = candidates.slice(at, at + KEYS_AT_ONCE);
    const keysOf = (about: Candidate['about']) =>
      some
        .filter((candidate) => candidate.about === about)
        .flatMap(({ id }) => author.deedKeys(DEEDS[about], id).map((key) => ({ id, key })));
    found.push(...(await selectAnswers(db, { review: keysOf('review'), reply: keysOf('reply') })));
    await yieldToRequests();
  }
  return found.toSorted((one, other) => other.decided_on.localeCompare(one.decided_on));
}

const DEEDS = { review: 'report', reply: 'reply-report' } as const;
