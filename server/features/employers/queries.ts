import { sql } from 'kysely';
import type { Employer } from '#contract/employers.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import { EMPLOYER_COLUMNS, employersWithRatings, toEmployer } from './employer-row.ts';

/** Employers in the order of `ids`; those that there are. */
export async function selectByIds(db: Db, ids: readonly number[]): Promise<Employer[]> {
  const rows = await employersWithRatings(db)
    .select(EMPLOYER_COLUMNS)
    .where('id', '=', anyOf('integer', ids))
    .orderBy(sql`array_position(${ids}::integer[], id)`)
    .execute();
  return rows.map(toEmployer);
}

/** Where an employer is now: itself, or what it has been merged into; null if there is none. */
export async function currentIds(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('employers')
    .select(['id', (eb) => eb.fn.coalesce('merged_into', 'id').as('current')])
    .where('id', '=', anyOf('integer', ids))
    .execute();
  return new Map(rows.map(({ id, current }) => [id, current]));
}

export interface NamedEmployer {
  id: number;
  isNew: boolean;
}

/** The employer of this name, case, spaces and punctuation aside. */
export async function findByName(db: Db, name: string): Promise<number | null> {
  const found = await db
    .selectFrom('employers')
    .select('id')
    // employers_name_key
    .where('name_key', '=', sql<string>`public.name_key(${name})`)
    // Those that are left before those that were merged, those of public sources before others.
    .orderBy(sql`merged_into is not null, source = 'user'`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}

/**
 * The employer of this name, or a new one marked as user-submitted. Two who type the same new name
 * at once get the same employer (employers_custom_name). It may have been merged into another one
 * since: see currentIds.
 */
export async function findOrAddByName(db: Db, name: string): Promise<NamedEmployer> {
  const found = await findByName(db, name);
  if (found !== null) return { id: found, isNew: false };
  return (
    db
      .insertInto('employers')
      .values({ name, source: 'user', employer_type: 'others' })
      .onConflict((conflict) =>
        conflict
          .column('name_key')
          // Not a parameter: a plan for any value of it would have no index to go by.
          .where('source', '=', sql.lit('user'))
          // Changes nothing, and is in no key: those who refer to the row need not wait.
          .doUpdateSet((eb) => ({ employer_type: eb.ref('employers.employer_type') })),
      )
      // No row version before this one: it was inserted, not found by the other's insert.
      .returning(['id', sql<boolean>`xmax = 0`.as('isNew')])
      .executeTakeFirstOrThrow()
  );
}

export async function selectImportedWebsites(db: Db): Promise<{ name: string; website: string }[]> {
  const rows = await db
    .selectFrom('employers')
    .select(['name', 'website'])
    .where('source', '=', 'hifld')
    .where('merged_into', 'is', null)
    .where('hospital_status', 'is distinct from', 'Closed')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ name, website }) => (website === null ? [] : { name, website }));
}
