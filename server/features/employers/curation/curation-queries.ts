import { sql } from 'kysely';
import { EMPLOYER_FACT_KEYS, type FactChange } from '#contract/employers/employer-facts.ts';
import type { RejectionKey } from '#contract/employers/employer-rejections.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import {
  ALIASES_MAX,
  EMPLOYER_COLUMNS,
  employersWithRatings,
  LISTED,
  toEmployer,
} from '#server/features/employers/employer-row.ts';
import { selectPage } from '#server/listing/page.ts';

const FACTS = sql.join(EMPLOYER_FACT_KEYS.map((fact) => sql.ref(fact)));

/**
 * Returns false if the employer does not exist, or has been merged or rejected. One SQL text for any
 * facts: those missing from the JSON do not change.
 */
export async function updateCurated(trx: Db, id: number, change: FactChange): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update employers set
      (${FACTS}) = (
        select ${FACTS} from jsonb_populate_record(employers, ${JSON.stringify(change)}::jsonb)
      ),
      curated_fields = array(
        select distinct field from unnest(curated_fields || ${Object.keys(change)}::text[]) as field
        order by field
      )
    where id = ${id} and ${LISTED} ${UNNAMED}`.execute(trx);
  return numAffectedRows > 0n;
}

/** Adds a name, unless the employer has it. The oldest of too many go (employers_aliases_check). */
export async function insertAlias(trx: Db, id: number, alias: string): Promise<void> {
  await sql`
    update employers set aliases = (array[${alias}::text] || aliases)[1:${sql.lit(ALIASES_MAX)}]
    where id = ${id} and public.name_key(${alias}) <> all (alias_keys || name_key) ${UNNAMED}
  `.execute(trx);
}

const NEIGHBORS_MAX = 500;

/** Other employers in the same city (employers_by_city). */
export async function selectNeighbors(db: Db, { id, city, state }: Employer): Promise<Employer[]> {
  const rows = await employersWithRatings(db)
    .where(sql`public.plain_words(city)`, '=', sql`public.plain_words(${city})`)
    .where('state', '=', state)
    .where(LISTED)
    .where('id', '<>', id)
    .select(EMPLOYER_COLUMNS)
    .orderBy('id')
    .limit(NEIGHBORS_MAX)
    .execute();
  return rows.map(toEmployer);
}

/** Employers that doctors have added, newest first (employers_submitted). */
export async function selectSubmitted(
  db: Db,
  page: { page: number; page_size: number },
): Promise<{ employers: Employer[]; count: number }> {
  const submitted = employersWithRatings(db)
    .where('source', '=', 'user')
    .where(LISTED)
    .select(EMPLOYER_COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  const { rows, count } = await selectPage(db, submitted, page);
  return { employers: rows.map(toEmployer), count };
}

/**
 * Keeps employers from being merged or rejected, and a merge from being undone, until the transaction
 * ends. Comes before the lock of a row: a merge locks the table, then the cases, and at last the row.
 */
export async function holdEmployers(trx: Db): Promise<void> {
  await sql`lock table employers in row exclusive mode`.execute(trx);
}

/** Keeps the facts of an employer as they are until the transaction ends. */
export async function lockFacts(trx: Db, id: number): Promise<void> {
  await holdEmployers(trx);
  await trx.selectFrom('employers').select('id').where('id', '=', id).forUpdate().execute();
}

export async function setRejected(
  trx: Db,
  id: number,
  rejected_for: RejectionKey | null,
): Promise<void> {
  await trx.updateTable('employers').set({ rejected_for }).where('id', '=', id).execute();
}

/** Deletes the corrections that wait for these employers. */
export async function deleteCorrections(trx: Db, employerIds: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('employer_corrections')
    .where('employer_id', '=', anyOf('integer', employerIds))
    .execute();
}
