import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { isVisible, type Viewer } from './queue.ts';

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
