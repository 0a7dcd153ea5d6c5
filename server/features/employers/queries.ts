import { sql } from 'kysely';
import type { Concern, ConcernFilter } from '#contract/concerns.ts';
import type { RejectionKey } from '#contract/employers/employer-rejections.ts';
import { EMPLOYER_SOURCES } from '#contract/employers/employer-sources.ts';
import type { Employer, EmployerCandidate } from '#contract/employers/employers.ts';
import { CANDIDATES_MAX } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { AppError } from '#server/errors/app-error.ts';
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

/** An employer, the id of the one it was merged into, and why it was rejected. Throws `not_found`. */
export async function readOne(
  db: Db,
  id: number,
): Promise<{
  employer: Employer;
  merged_into: number | null;
  rejected_for: RejectionKey | null;
}> {
  const row = await employersWithRatings(db)
    .select([...EMPLOYER_COLUMNS, 'employers.merged_into', 'employers.rejected_for'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found');
  const { merged_into, rejected_for, ...employer } = row;
  return {
    employer: toEmployer(employer),
    merged_into,
    rejected_for: rejected_for as RejectionKey | null,
  };
}

/** Each existing employer: the id it stands for now, its own or of the one it was merged into. */
export async function currentEmployers(
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; current: number; isRejected: boolean }[]> {
  const employers = await selectStates(db, ids);
  const keptIds = employers.flatMap(({ merged_into }) => merged_into ?? []);
  const kept = keptIds.length === 0 ? [] : await selectStates(db, keptIds);
  const rejected = new Set(
    [...employers, ...kept].filter(({ rejected_for }) => rejected_for !== null).map(({ id }) => id),
  );
  return employers.map(({ id, merged_into }) => {
    const current = merged_into ?? id;
    return { id, current, isRejected: rejected.has(id) || rejected.has(current) };
  });
}

const selectStates = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('employers')
    .select(['id', 'merged_into', 'rejected_for'])
    .where('id', '=', anyOf('integer', ids))
    .execute();

/** Maps each existing id to itself, or to the employer it was merged into. */
export async function currentIds(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const employers = await currentEmployers(db, ids);
  return new Map(employers.map(({ id, current }) => [id, current]));
}

/** The same without employers that were rejected, or merged into one that was. */
export async function listedIds(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const employers = await currentEmployers(db, ids);
  const listed = employers.filter(({ isRejected }) => !isRejected);
  return new Map(listed.map(({ id, current }) => [id, current]));
}

/** Throws `employer_rejected` if one of these was rejected, or merged into one that was. */
export async function requireNotRejected(db: Db, ids: readonly number[]): Promise<void> {
  const employers = await currentEmployers(db, ids);
  if (employers.some(({ isRejected }) => isRejected)) throw new AppError('employer_rejected');
}

/**
 * The employer's id, or the id of the one it was merged into. Throws `not_found`, also for a rejected
 * one.
 */
export async function currentId(db: Db, id: number): Promise<number> {
  const current = (await listedIds(db, [id])).get(id);
  if (current === undefined) throw new AppError('not_found');
  return current;
}

export interface NamedEmployer {
  id: number;
  isNew: boolean;
}

/** An employer that is given by its name, and where it is. */
export interface EmployerName {
  readonly name: string;
  /** Null: not given, and not compared. Empty: not known. */
  readonly city: string | null;
  readonly state: string | null;
}

/** An employer with a given name: its row, and what it is now if it has been merged. */
export type Namesake = EmployerCandidate & { row: number; is_rejected: boolean };

/**
 * The employers with this name and place, ignoring case, spaces, and punctuation. Merged ones only
 * count if there is no other, and rejected ones only if there is none of either.
 */
export async function selectNamed(
  db: Db,
  { name, city, state }: EmployerName,
): Promise<Namesake[]> {
  const { rows } = await sql<Namesake>`
    with named as (
      -- employers_name_key
      select named.id, kept.id as current, kept.rejected_for is not null as is_rejected,
        case when kept.rejected_for is not null then 2 when named.id <> kept.id then 1 else 0 end
          as rank
      from employers as named
      join employers as kept on kept.id = coalesce(named.merged_into, named.id)
      where named.name_key = public.name_key(${name})
        and (${city}::text is null
          or public.name_key(coalesce(named.city, '')) = public.name_key(${city}::text))
        and (${state}::text is null or coalesce(named.state, '') = ${state}::text)
    ), each_once as (
      select distinct on (current) id as row, current, is_rejected from named
      where rank = (select min(rank) from named)
      order by current, id
    )
    select row, id, name, city, state, address, is_rejected
    from each_once join employers on id = current
    order by state, city, address, id limit ${CANDIDATES_MAX}`.execute(db);
  return rows;
}

/** The submitted employer with exactly this name and place (employers_custom_name). */
async function findSubmitted(db: Db, { name, city, state }: EmployerName): Promise<number | null> {
  const found = await db
    .selectFrom('employers')
    .select('id')
    .where('source', '=', sql.lit('user'))
    .where('name_key', '=', sql<string>`public.name_key(${name})`)
    .where(sql`public.name_key(coalesce(city, ''))`, '=', sql`public.name_key(${city ?? ''})`)
    .where(sql`coalesce(state, '')`, '=', state ?? '')
    .executeTakeFirst();
  return found?.id ?? null;
}

/**
 * The only employer with this name. If several have it, none is picked for a doctor who has not seen
 * them: only one that was submitted with exactly this name and place.
 */
export async function findByName(db: Db, named: EmployerName): Promise<number | null> {
  const [first, second] = await selectNamed(db, named);
  return second ? findSubmitted(db, named) : (first?.row ?? null);
}

export async function readEmployer(db: Db, id: number): Promise<Employer> {
  const [employer] = await selectByIds(db, [id]);
  if (!employer) throw new AppError('not_found');
  return employer;
}

/**
 * Adds an employer, marked as user-submitted. Concurrent requests with the same new name and place
 * get the same employer (employers_custom_name). It may have been merged since then (see currentIds).
 */
export async function addByName(
  db: Db,
  { name, city, state }: EmployerName,
): Promise<NamedEmployer> {
  return (
    db
      .insertInto('employers')
      .values({
        name,
        city: city || null,
        state: state || null,
        source: 'user',
        employer_type: 'others',
      })
      .onConflict((conflict) =>
        conflict
          .expression(sql`name_key, public.name_key(coalesce(city, '')), coalesce(state, '')`)
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
    // Websites are in the HIFLD file, but another file may have added the employer.
    .where('source', '=', anyOf('text', Object.keys(EMPLOYER_SOURCES)))
    .where('merged_into', 'is', null)
    .where('hospital_status', 'is distinct from', 'Closed')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ name, website }) => (website === null ? [] : { name, website }));
}

/** The concerns that a search names, and how many of an employer's reviews mention each. */
export async function concernsNamed(
  db: Db,
  employerId: number,
  search: string,
): Promise<{ concern: Concern; count: number }[]> {
  const { rows } = await sql<{ concern: Concern; count: number }>`
    select concern, total as count from employer_concerns
    where employer_id = ${employerId} and concern = any(public.concerns_of(${search}))
    order by total desc, concern`.execute(db);
  return rows;
}

/** The words and phrases of the concern of a filter: 'h1b', 'green card'. */
export async function wordsOfConcern(db: Db, filter: ConcernFilter): Promise<string[]> {
  const concern = filter.replace(/^.*-/, '');
  const { rows } = await sql<{ words: string[] }>`
    select string_to_array(
      translate(replace(phrases::text, ' <-> ', ' '), '()''', ''), ' | ') as words
    from public.concern_vocabulary() where concern = ${concern}`.execute(db);
  return rows.flatMap(({ words }) => words);
}

/** The number of published reviews of all employers. */
export async function countAllReviews(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('employer_ratings')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('total_reviews'), sql<number>`0`).as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The cities of employers with reviews in alphabetical order, each in its most common spelling. */
export async function selectReviewedCities(db: Db): Promise<string[]> {
  const { rows } = await sql<{ city: string }>`
    select distinct on (public.fold(city)) city from (
      select city, sum(total_reviews) as reviews
      from employers join employer_ratings on employer_id = id
      where total_reviews > 0 and city is not null group by city
    ) as cities
    order by public.fold(city), reviews desc, city`.execute(db);
  return rows.map(({ city }) => city);
}
