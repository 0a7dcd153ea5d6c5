import { sql } from 'kysely';
import type { Report, ReportsQuery } from '#contract/review-moderation.ts';
import type { Db } from '#server/db/open.ts';
import { offsetOf } from '#server/listing/page.ts';

const reported = (db: Db) => db.selectFrom('review_reports').where('closed', '=', false);
const removed = (db: Db) => db.selectFrom('reviews').where('removed_reason', 'is not', null);

/** One page of the ids of reviews with open reports, and the number on all pages. */
export async function selectReported(db: Db, query: ReportsQuery) {
  const [rows, { count }] = await Promise.all([
    reported(db)
      .select('review_id as id')
      .groupBy('review_id')
      .orderBy((eb) => eb.fn.countAll(), 'desc')
      .orderBy((eb) => eb.fn.max('reported_on'), 'desc')
      .orderBy('review_id')
      .limit(query.page_size)
      .offset(offsetOf(query))
      .execute(),
    reported(db)
      .select((eb) => eb.fn.count<number>('review_id').distinct().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { ids: rows.map(({ id }) => id), count };
}

/** The same for removed reviews (reviews_set_apart). */
export async function selectRemoved(db: Db, query: ReportsQuery) {
  const [rows, { count }] = await Promise.all([
    removed(db)
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(query.page_size)
      .offset(offsetOf(query))
      .execute(),
    removed(db)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { ids: rows.map(({ id }) => id), count };
}

/** Open reports by review, oldest day first, and in random order within a day. */
export async function selectReports(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Report[]>> {
  const { rows } = await sql<{ review_id: string; reports: Report[] }>`
    select review_id, json_agg(
      json_build_object('reason', reason, 'note', note, 'reported_on', reported_on)
      order by reported_on, reporter_key) as reports
    from review_reports
    where review_id = any(${ids}::uuid[]) and not closed
    group by review_id`.execute(db);
  return new Map(rows.map(({ review_id, reports }) => [review_id, reports]));
}

/** Whether a review is removed and has open reports. */
export async function isHeld(db: Db, id: string): Promise<boolean> {
  const held = await removed(db)
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb.exists(reported(db).select('review_id').where('review_id', '=', id)))
    .executeTakeFirst();
  return held !== undefined;
}

/** Closes all reports of a review. */
export async function closeReports(db: Db, reviewId: string) {
  await db
    .updateTable('review_reports')
    .set({ closed: true })
    .where('review_id', '=', reviewId)
    .where('closed', '=', false)
    .execute();
}
