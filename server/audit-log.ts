import { sql } from 'kysely';
import type { LogEntry } from '#contract/office/audit-log.ts';
import type { MemberAct, StaffAct } from '#contract/office/logged-acts.ts';
import { type Clock, toDay, toMonth } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { selectPage } from '#server/listing/page.ts';

/** The actor of a command. */
export const COMMAND = 'cli';

/** An action of an administrator or a command, and its subject. Never identifies an author. */
export interface Act {
  /** `cli`, the id of the administrator's account, or just `reader` or `author`. */
  readonly actor: string;
  readonly action: StaffAct | MemberAct;
  readonly subject: string;
  readonly details?: Readonly<Record<string, number | string | boolean | null | undefined>>;
  /** An author's action, perhaps: an exact day would say when the author used the site. */
  readonly isByMonth?: boolean;
}

/** Adds an entry to the audit log, in the transaction of the action. */
export async function recordAct(
  db: Db,
  clock: Clock,
  { details, isByMonth = false, ...act }: Act,
): Promise<void> {
  const isCoarse = isByMonth || act.actor === 'author';
  await db
    .insertInto('audit_log')
    .values({
      ...act,
      happened_on: isCoarse ? toMonth(clock()) : toDay(clock()),
      ...(details && { details: JSON.stringify(details) }),
    })
    .execute();
}

/** An action of a staff member or a command. */
export interface ActRow extends Pick<LogEntry, 'id' | 'happened_on' | 'details'> {
  readonly actor: string;
  readonly action: StaffAct;
  readonly subject: string;
}

export interface ActCriteria {
  /** `YYYY-MM` */
  readonly month?: string | undefined;
  readonly actor?: string | undefined;
  readonly subjects?: readonly string[] | undefined;
}

/**
 * One page of these actions, of one month or of all, by one actor or about some subjects, and their
 * total (audit_log_day). The latest day comes first. Ids are random, so a day has no order.
 */
export async function selectActs(
  db: Db,
  acts: readonly StaffAct[],
  { month, actor, subjects, ...page }: ActCriteria & { page: number; page_size: number },
): Promise<{ rows: ActRow[]; count: number }> {
  let found = db
    .selectFrom('audit_log')
    .where('action', '=', anyOf('text', acts))
    .where('happened_on', '>=', month === undefined ? '-infinity' : `${month}-01`)
    .where(
      sql<boolean>`happened_on < ${month === undefined ? 'infinity' : `${month}-01`}::date + interval '1 month'`,
    )
    .select(['id', 'happened_on', 'actor', 'action', 'subject', 'details']);
  if (actor !== undefined) found = found.where('actor', '=', actor);
  if (subjects !== undefined) found = found.where('subject', '=', anyOf('text', subjects));
  const sorted = found.orderBy('happened_on', 'desc').orderBy('id', 'desc');
  const { rows, count } = await selectPage(db, sorted, page);
  return { rows: rows as ActRow[], count };
}

/**
 * The latest acts of staff about any of these subjects whose names begin with one of these, latest
 * day first. A day has no order (audit_log_subject).
 */
export async function actsAbout(
  db: Db,
  subjects: readonly string[],
  beginnings: readonly string[],
): Promise<Pick<ActRow, 'actor' | 'action' | 'happened_on'>[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'happened_on'])
    .where('subject', '=', anyOf('text', subjects))
    .where('actor', 'not in', ['reader', 'author'])
    .where('action', 'like', sql<string>`any(${beginnings.map((one) => `${one}%`)}::text[])`)
    .orderBy('happened_on', 'desc')
    .orderBy('id')
    .limit(ACTS_SHOWN)
    .execute();
  return rows as Pick<ActRow, 'actor' | 'action' | 'happened_on'>[];
}

const ACTS_SHOWN = 20;

/** How often an action was recorded in a month, by the reason, rule, or kind in its entry. */
export interface ActCount {
  readonly month: string;
  readonly action: string;
  readonly ground: string | null;
  readonly count: number;
}

/** Counts actions on reviews, and legal demands, from a day until before another. */
export async function countActs(db: Db, from: string, until: string): Promise<ActCount[]> {
  const { rows } = await sql<ActCount>`
    select to_char(happened_on, 'YYYY-MM') as month, action,
      coalesce(details ->> 'rule', details ->> 'reason', details ->> 'kind') as ground, count(*)::int as count
    from audit_log
    where happened_on >= ${from} and happened_on < ${until}
      and (action = 'report.receive' or action like 'appeal.%'
        or action like 'review.%' and action <> 'review.resubmit'
        or action like 'second-look.%' or action like 'legal.%' or action like 'reply.%')
    group by 1, 2, 3`.execute(db);
  return rows;
}

/** Whether a legal demand was recorded before a day (audit_log_demands). */
export async function hasDemands(db: Db, until: string): Promise<boolean> {
  const found = await db
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', 'legal.receive')
    .where('happened_on', '<', until)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The median number of days from the first report to the decision, and the number of decisions. */
export interface Median {
  readonly month: string;
  readonly days: number;
  readonly count: number;
}

export async function mediansOfDays(db: Db, from: string, until: string): Promise<Median[]> {
  const { rows } = await sql<Median>`
    select to_char(happened_on, 'YYYY-MM') as month, count(*)::int as count,
      percentile_disc(0.5) within group (order by (details ->> 'days')::int) as days
    from audit_log
    where happened_on >= ${from} and happened_on < ${until} and action like 'review.%'
      and details ? 'days'
    group by 1`.execute(db);
  return rows;
}
