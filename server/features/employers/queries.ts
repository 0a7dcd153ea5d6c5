import { sql } from 'kysely';
import type { Employer } from '#contract/employers.ts';
import { AppError } from '#server/app-error.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import { EMPLOYER_COLUMNS, employersWithRatings, toEmployer } from './employer-row.ts';

/** The existing employers of `ids`, in that order. */
export async function selectByIds(db: Db, ids: readonly number[]): Promise<Employer[]> {
  const rows = await employersWithRatings(db)
    .select(EMPLOYER_COLUMNS)
    .where('id', '=', anyOf('integer', ids))
    .orderBy(sql`array_position(${ids}::integer[], id)`)
    .execute();
  return rows.map(toEmployer);
}

/** An employer, and the id of the one it was merged into. Throws `not_found`. */
export async function readOne(
  db: Db,
  id: number,
): Promise<{ employer: Employer; merged_into: number | null }> {
  const row = await employersWithRatings(db)
    .select([...EMPLOYER_COLUMNS, 'employers.merged_into'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found');
  const { merged_into, ...employer } = row;
  return { employer: toEmployer(employer), merged_into };
}

/** Maps each existing id to itself, or to the employer it was merged into. */
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

/** The employer with this name, ignoring case, spaces, and punctuation. */
export async function findByName(db: Db, name: string): Promise<number | null> {
  const found = await db
    .selectFrom('employers')
    .select('id')
    // employers_name_key
    .where('name_key', '=', sql<string>`public.name_key(${name})`)
    // Merged employers last; imported ones before submitted ones.
    .orderBy(sql`merged_into is not null, source = 'user'`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}

export async function readEmployer(db: Db, id: number): Promise<Employer> {
  const [employer] = await selectByIds(db, [id]);
  if (!employer) throw new AppError('not_found');
  return employer;
}

/**
 * Returns the employer with this name, or adds one, marked as user-submitted. Concurrent requests
 * with the same new name get the same employer (employers_custom_name). It may have been merged
 * since then (see currentIds).
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
          // As a parameter, it would not match the partial index.
          .where('source', '=', sql.lit('user'))
          // Changes nothing. The column is in no key, so inserts that refer to the row do not wait.
          .doUpdateSet((eb) => ({ employer_type: eb.ref('employers.employer_type') })),
      )
      // `xmax` is 0 only for a row that this statement inserted.
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
