import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { CASE_CLAIM_MINUTES, type CaseKind } from '#contract/cases.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import type { CaseFilters, CaseQuery } from '#contract/office/case-queue.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import { AppError } from '#server/errors/app-error.ts';
import { selectPage } from '#server/listing/page.ts';

export type CaseRow = Omit<Selectable<DB['cases']>, 'edited'>;

const COLUMNS = [
  'id',
  'kind',
  'priority',
  'opened_on',
  'period',
  'sorted_on',
  'review_id',
  'demand_id',
  'account_id',
  'employer_id',
  'due_on',
  'decided_by',
  'holder',
  'last_holder',
  'held_until',
  'asked',
  'asked_on',
  'asked_by',
  'answered',
] as const;

/** Which cases are listed. */
export interface Filters extends Omit<CaseFilters, 'search'> {
  /** The cases that a search has found (search.ts). */
  readonly among?: readonly string[] | undefined;
}

/** The caller, the time, and the kinds of cases that the caller may see. */
export interface Viewer {
  readonly userId: string;
  readonly kinds: readonly CaseKind[];
  /** There is nobody else to decide an appeal. */
  readonly isOnlyModerator: boolean;
  readonly now: Date;
}

/** One page of the queue in its order, and the number of cases on all pages. */
export function selectQueue(
  db: Db,
  viewer: Viewer,
  query: Filters & Pick<CaseQuery, 'page' | 'page_size'>,
): Promise<{ rows: CaseRow[]; count: number }> {
  return selectPage(db, inOrder(viewer, filtered(db, viewer, query).select(COLUMNS)), query);
}

/** Those of these cases that are open and that the viewer may see. */
export const selectCases = (db: Db, viewer: Viewer, ids: readonly string[]): Promise<CaseRow[]> =>
  db
    .selectFrom('cases')
    .select(COLUMNS)
    .where('id', '=', anyOf('uuid', ids))
    .where(isVisible(viewer))
    .execute();

/** How many open cases match, besides these. */
export async function countOthers(
  db: Db,
  viewer: Viewer,
  filters: Filters,
  ids: readonly string[],
): Promise<number> {
  const { count } = await filtered(db, viewer, filters)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<SqlBool>`id <> all(${ids}::uuid[])`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of open cases of each kind; kinds without one are missing. */
export async function countByKind(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('cases')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]));
}

/**
 * The first case after this one that the viewer may decide and nobody else has claimed; if none
 * comes after it, the first of all.
 */
export async function selectNextId(
  db: Db,
  viewer: Viewer,
  filters: Filters,
  current: CaseRow,
): Promise<string | null> {
  const { priority, sorted_on, id } = current;
  const others = inOrder(
    viewer,
    filtered(db, viewer, filters)
      .select('id')
      .where('id', '<>', id)
      .where(isClaimable(viewer))
      .limit(1),
  );
  const after = sql<SqlBool>`(${isInTime(viewer)}, priority, sorted_on, id)
    > (${!isOverdue(viewer, current)}, ${priority}, ${sorted_on}, ${id})`;
  const next = (await others.where(after).executeTakeFirst()) ?? (await others.executeTakeFirst());
  return next?.id ?? null;
}

/** The number of open cases of each kind that the viewer may see; kinds without one are missing. */
export async function countVisible(db: Db, viewer: Viewer) {
  const rows = await db
    .selectFrom('cases')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where(isVisible(viewer))
    .groupBy('kind')
    .execute();
  return rows.map(({ kind, count }) => ({ kind: kind as CaseKind, count: Number(count) }));
}

/**
 * The number of open cases that the viewer may see and that were opened before a day, or whose due
 * date is over. Where only the week or month is known, its last day counts, as in the order of the
 * queue.
 */
export async function countOverdue(db: Db, viewer: Viewer, before: string): Promise<number> {
  const { count } = await db
    .selectFrom('cases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isVisible(viewer))
    .where((eb) => eb.or([eb('sorted_on', '<', before), eb('due_on', '<', toDay(viewer.now))]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The matching case that has waited longest. */
export const selectOldest = (db: Db, viewer: Viewer, filters: Filters) =>
  filtered(db, viewer, filters)
    .select(['kind', 'opened_on', 'period'])
    .orderBy('sorted_on')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** The kind of an open case that the viewer's roles do not cover. */
export async function kindOfOther(db: Db, viewer: Viewer, id: string): Promise<CaseKind | null> {
  const row = await db.selectFrom('cases').select('kind').where('id', '=', id).executeTakeFirst();
  const kind = row?.kind as CaseKind | undefined;
  return kind === undefined || viewer.kinds.includes(kind) ? null : kind;
}

/** An open case that the viewer may see. */
export const selectCase = async (
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<CaseRow | undefined> => (await selectCases(db, viewer, [id]))[0];

/** The id of what a case is about, as the log names it. */
export const subjectOf = (row: CaseRow): string =>
  row.review_id ?? row.account_id ?? row.demand_id ?? String(row.employer_id);

/** The open cases about a review, except for second looks. */
export async function selectCasesOf(db: Db, viewer: Viewer, reviewId: string) {
  const rows = await db
    .selectFrom('cases')
    .select(['id', 'kind'])
    .where('review_id', '=', reviewId)
    .where('kind', '<>', 'second_look')
    .where(isVisible(viewer))
    .orderBy('kind')
    .execute();
  return rows as { id: string; kind: 'report' | 'appeal' | 'reply' }[];
}

/** Whether a decision about a review waits for a second look that this moderator may take. */
export const awaitsLookBy = (moderator: string, review: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (
    select from cases where review_id = ${review} and kind = 'second_look'
      and decided_by is distinct from ${moderator}::uuid)`;

/**
 * The open case of a kind about each of these reviews, where there is one, and whether the text has
 * changed since it was opened.
 */
export async function openCasesOf(
  db: Db,
  kind: CaseKind,
  reviewIds: readonly string[],
): Promise<Map<string | null, { id: string; edited: boolean }>> {
  const rows = await db
    .selectFrom('cases')
    .select(['id', 'review_id', 'edited'])
    .where('review_id', '=', anyOf('uuid', reviewIds))
    .where('kind', '=', kind)
    .execute();
  return new Map(rows.map(({ review_id, ...open }) => [review_id, open]));
}

/**
 * Claims a case for the viewer for `CASE_CLAIM_MINUTES`; a claim that has not expired keeps its
 * end. Throws `case_claimed` if somebody else has claimed it, `own_decision` if it is about the
 * viewer's own decision, and `case_closed` if it is not open.
 */
export async function claimCase(db: Db, viewer: Viewer, id: string): Promise<CaseRow> {
  const held_until = claimEnd(viewer);
  const claimed = await db
    .updateTable('cases')
    .set((eb) => ({
      holder: viewer.userId,
      last_holder: viewer.userId,
      held_until: eb
        .case()
        .when(eb.and([eb('last_holder', '=', viewer.userId), eb('held_until', '>', viewer.now)]))
        .then(eb.ref('held_until'))
        .else(held_until)
        .end(),
    }))
    .where('id', '=', id)
    .where(isVisible(viewer))
    .where(isClaimable(viewer))
    .returning(COLUMNS)
    .executeTakeFirst();
  if (claimed) return claimed;
  const row = await selectCase(db, viewer, id);
  if (!row) throw new AppError('case_closed');
  throw new AppError(isOwnDecision(viewer, row) ? 'own_decision' : 'case_claimed');
}

/**
 * Keeps the viewer's own claim for another `CASE_CLAIM_MINUTES`. Throws `case_claimed` if it has
 * ended, and `case_closed`.
 */
export async function prolongClaim(db: Db, viewer: Viewer, id: string): Promise<CaseRow> {
  const held_until = claimEnd(viewer);
  const prolonged = await db
    .updateTable('cases')
    .set({ held_until })
    .where('id', '=', id)
    .where('holder', '=', viewer.userId)
    .where('held_until', '>', viewer.now)
    .where(isVisible(viewer))
    .returning(COLUMNS)
    .executeTakeFirst();
  if (prolonged) return prolonged;
  throw new AppError((await selectCase(db, viewer, id)) ? 'case_claimed' : 'case_closed');
}

/** Releases the viewer's own claim. Throws `case_closed` if the case is not open. */
export async function releaseCase(db: Db, viewer: Viewer, id: string): Promise<CaseRow> {
  await db
    .updateTable('cases')
    .set({ holder: null })
    .where('id', '=', id)
    .where('holder', '=', viewer.userId)
    .execute();
  const row = await selectCase(db, viewer, id);
  if (!row) throw new AppError('case_closed');
  return row;
}

function filtered(db: Db, viewer: Viewer, { kind, priority, claim, among }: Filters) {
  return db
    .selectFrom('cases')
    .where(isVisible(viewer))
    .where(sql<SqlBool>`(${kind ?? null}::text is null or kind = ${kind ?? null})`)
    .where(sql<SqlBool>`(${priority ?? null}::smallint is null or priority = ${priority ?? null})`)
    .where(sql<SqlBool>`(
      ${claim ?? null}::text is null
      or (${claim ?? null} = 'free' and ${isFree(viewer)})
      or (${claim ?? null} = 'own' and holder = ${viewer.userId} and held_until > ${viewer.now})
    )`)
    .where(among ? sql<SqlBool>`id = ${anyOf('uuid', among)}` : sql<SqlBool>`true`);
}

/** The moderator who decided must not learn that a second look was drawn, or could prepare for it. */
export const isVisible = ({ kinds, userId }: Viewer) =>
  sql<SqlBool>`(kind = ${anyOf('text', kinds)}
    and not (kind = 'second_look' and decided_by is not distinct from ${userId}))`;

/** Somebody else decides about the viewer's own decision. */
export const isOwnDecision = ({ userId, isOnlyModerator }: Viewer, { decided_by }: CaseRow) =>
  decided_by === userId && !isOnlyModerator;

/** When a claim that begins now ends. */
const claimEnd = ({ now }: Viewer) => new Date(now.getTime() + CASE_CLAIM_MINUTES * MINUTE_MS);

const isClaimable = (viewer: Viewer) =>
  sql<SqlBool>`((${isFree(viewer)} or holder = ${viewer.userId})
    and (${viewer.isOnlyModerator} or decided_by is distinct from ${viewer.userId}))`;

const isFree = ({ now }: Viewer) =>
  sql<SqlBool>`(holder is null or held_until is null or held_until <= ${now})`;

/** The last day to decide it is over. */
export const isOverdue = ({ now }: Viewer, { due_on }: Pick<CaseRow, 'due_on'>): boolean =>
  due_on !== null && due_on < toDay(now);

const isInTime = ({ now }: Viewer) => sql<boolean>`coalesce(due_on >= ${toDay(now)}::date, true)`;

type Order = RawBuilder<boolean> | 'priority' | 'sorted_on' | 'id';

/** Overdue ones first. Open cases are few enough to be sorted. */
const inOrder = <Q extends { orderBy(by: Order): Q }>(viewer: Viewer, query: Q): Q =>
  query.orderBy(isInTime(viewer)).orderBy('priority').orderBy('sorted_on').orderBy('id');

/** Relations of other features, which cases are joined with. */
export interface Relations {
  /** `id`, `employer_id` */
  readonly reviews: RawBuilder<unknown>;
  /** `user_id`, `employer_id` */
  readonly representatives: RawBuilder<unknown>;
  /** `id`, `review_id` */
  readonly demands: RawBuilder<unknown>;
}

/**
 * Cases about these employers (a relation of `id`): themselves, their reviews and replies, their
 * representatives, and demands about their reviews. Never a doctor, who has no employer here.
 */
export const aboutEmployers = (
  employers: RawBuilder<unknown>,
  { reviews, representatives, demands }: Relations,
) => sql<SqlBool>`(id in (
  with wanted as materialized (${employers})
  select cases.id from cases join wanted on wanted.id = cases.employer_id
  union all
  select cases.id from cases join (${reviews}) as about on about.id = cases.review_id
    join wanted on wanted.id = about.employer_id
  union all
  select cases.id from cases join (${representatives}) as about on about.user_id = cases.account_id
    join wanted on wanted.id = about.employer_id
  union all
  select cases.id from cases join (${demands}) as demand on demand.id = cases.demand_id
    join (${reviews}) as about on about.id = demand.review_id
    join wanted on wanted.id = about.employer_id
))`;

/** The employer of a case; null for a case about a doctor. */
export async function employerOf(
  db: Db,
  id: string,
  { reviews, representatives, demands }: Relations,
): Promise<number | null> {
  const { rows } = await sql<{ employer: number | null }>`
    select coalesce(own.employer_id, of_review.employer_id, of_account.employer_id,
      of_demand.employer_id) as employer
    from cases as own
    left join (${reviews}) as of_review on of_review.id = own.review_id
    left join (${representatives}) as of_account on of_account.user_id = own.account_id
    left join (${demands}) as demand on demand.id = own.demand_id
    left join (${reviews}) as of_demand on of_demand.id = demand.review_id
    where own.id = ${id}`.execute(db);
  return rows[0]?.employer ?? null;
}

/** Cases about a review: its reports, appeals, replies, and legal demands. */
export const aboutReview = (id: string, { demands }: Pick<Relations, 'demands'>) =>
  sql<SqlBool>`(review_id = ${id}
    or demand_id in (select id from (${demands}) as demand where review_id = ${id}))`;

/** Cases about these accounts. */
export const aboutAccounts = (ids: readonly string[]) =>
  sql<SqlBool>`(account_id = ${anyOf('uuid', ids)})`;

/** The open cases that a viewer may see and that meet a condition. */
export async function casesAbout(
  db: Db,
  viewer: Viewer,
  condition: RawBuilder<SqlBool>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where(isVisible(viewer))
    .where(condition)
    .execute();
  return rows.map(({ id }) => id);
}

/** The accounts of the representatives who wait for a viewer. */
export async function waitingRepresentatives(db: Db, viewer: Viewer): Promise<string[]> {
  const rows = await db
    .selectFrom('cases')
    .select('account_id')
    .where('kind', '=', 'representative')
    .where(isVisible(viewer))
    .execute();
  return rows.flatMap(({ account_id }) => account_id ?? []);
}
