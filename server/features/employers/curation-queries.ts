import { sql } from 'kysely';
import type { EmployerCurationRequest } from '#contract/employer-curation.ts';
import type { Employer } from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';
import { offsetOf } from '#server/listing/page.ts';
import { EMPLOYER_COLUMNS, employersWithRatings, toEmployer } from './employer-row.ts';

/** Blocks other writers of employers until the transaction ends. Reading continues. */
export async function lockEmployers(trx: Db): Promise<void> {
  await sql`lock table employers in share row exclusive mode`.execute(trx);
}

export function selectMerges(trx: Db, ids: readonly number[]) {
  return trx
    .selectFrom('employers')
    .select(['id', 'merged_into'])
    .where('id', '=', sql<number>`any(${ids}::integer[])`)
    .execute();
}

/** Also updates employers that were merged into this one, so that links redirect only once. */
export async function setMerged(trx: Db, from: number, into: number): Promise<void> {
  await trx
    .updateTable('employers')
    .set({ merged_into: into })
    .where((eb) => eb.or([eb('id', '=', from), eb('merged_into', '=', from)]))
    .execute();
}

/** Returns false if there is no such employer or it has been merged. */
export async function updateCurated(
  trx: Db,
  id: number,
  change: EmployerCurationRequest,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('employers')
    .set({
      ...change,
      curated_fields: sql`array(
        select distinct field from unnest(curated_fields || ${Object.keys(change)}::text[]) field
        order by field
      )`,
    })
    .where('id', '=', id)
    .where('merged_into', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Employers that doctors have added, newest first (employers_submitted). */
export async function selectSubmitted(
  db: Db,
  page: { page: number; page_size: number },
): Promise<{ employers: Employer[]; count: number }> {
  const submitted = employersWithRatings(db)
    .where('source', '=', 'user')
    .where('merged_into', 'is', null);
  const [rows, { count }] = await Promise.all([
    submitted
      .select(EMPLOYER_COLUMNS)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(page.page_size)
      .offset(offsetOf(page))
      .execute(),
    submitted.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { employers: rows.map(toEmployer), count };
}
