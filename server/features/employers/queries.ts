import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import {
  EMPLOYER_TYPE_KEYS,
  EMPLOYER_TYPES,
  type EmployerFilterOptions,
  type EmployerQuery,
  TRAUMA_LEVELS,
} from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';
import { prefixQuery } from '#server/db/search.ts';
import type { DB } from '#server/db/types.ts';
import { offsetOf } from '#server/paging.ts';
import { employerColumns, employersWithRatings, toEmployer } from './employer-row.ts';

type Employers<O> = SelectQueryBuilder<DB, 'employers' | 'employer_ratings', O>;

/** One page of the directory, and how many there are in all. */
export async function listEmployers(db: Db, query: EmployerQuery) {
  const filtered = filterEmployers(employersWithRatings(db), query);
  const [rows, { count }] = await Promise.all([
    orderEmployers(filtered.select(employerColumns), query)
      .limit(query.page_size)
      .offset(offsetOf(query))
      .execute(),
    filtered.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { employers: rows.map(toEmployer), count };
}

function filterEmployers<O>(employers: Employers<O>, query: EmployerQuery): Employers<O> {
  const { search } = query;
  return employers
    .$if(!!search, (q) => q.where(matches(search ?? '')))
    .$if(!!query.state, (q) => q.where('state', '=', (query.state ?? '').toUpperCase()))
    .$if(!!query.employer_type, (q) => q.where('employer_type', '=', query.employer_type ?? ''))
    .$if(query.hospitals_only === 'true', (q) => q.where('employer_type', '=', 'hospital'))
    .$if(!!query.ownership_type, (q) => q.where('ownership_type', '=', query.ownership_type ?? ''))
    .$if(!!query.trauma_level, (q) => q.where('trauma_level', '=', query.trauma_level ?? ''))
    .$if(!!query.hospital_status, (q) =>
      q.where('hospital_status', '=', query.hospital_status ?? ''),
    )
    .$if(!!query.has_helipad, (q) => q.where('has_helipad', '=', query.has_helipad === 'true'))
    .$if(query.min_beds !== undefined, (q) => q.where('bed_count', '>=', query.min_beds ?? 0))
    .$if(query.max_beds !== undefined, (q) => q.where('bed_count', '<=', query.max_beds ?? 0))
    .$if(query.min_staff !== undefined, (q) => q.where('staff_count', '>=', query.min_staff ?? 0))
    .$if(query.max_staff !== undefined, (q) => q.where('staff_count', '<=', query.max_staff ?? 0));
}

/** Word prefixes anywhere (employers_search), or a name much like it (employers_name_trigrams). */
function matches(search: string) {
  return sql<SqlBool>`(
    employers.search @@ ${prefixQuery(search)}
    or public.fold(${search}) <% public.fold(employers.name)
  )`;
}

/** Nulls sort last; equal rows sort by id, so that pages never overlap. */
function orderEmployers<O>(employers: Employers<O>, { ordering, search }: EmployerQuery) {
  const byName = sql`public.fold(employers.name)`;
  switch (ordering) {
    case undefined:
      if (!search) return employers.orderBy(byName).orderBy('employers.id');
      return employers
        .orderBy(sql`ts_rank(employers.search, ${prefixQuery(search)}) desc`)
        .orderBy(sql`word_similarity(public.fold(${search}), public.fold(employers.name)) desc`)
        .orderBy('total_reviews', 'desc')
        .orderBy('employers.id');
    case 'name':
      return employers.orderBy(byName).orderBy('employers.id');
    case '-name':
      return employers.orderBy(byName, 'desc').orderBy('employers.id', 'desc');
    case '-bed_count':
      return employers.orderBy(sql`bed_count desc nulls last`).orderBy('employers.id');
    case 'bed_count':
      return employers.orderBy(sql`bed_count asc nulls last`).orderBy('employers.id');
    case '-overall_rating':
      return employers
        .orderBy(sql`overall_rating desc nulls last`)
        .orderBy('employer_ratings.employer_id');
    case '-total_reviews':
      return employers.orderBy('total_reviews', 'desc').orderBy('employer_ratings.employer_id');
    case '-created_at':
      return employers.orderBy('employers.created_at', 'desc').orderBy('employers.id');
  }
}

export async function findEmployer(db: Db, id: number) {
  const row = await employersWithRatings(db)
    .select(employerColumns)
    .where('employers.id', '=', id)
    .executeTakeFirst();
  return row && toEmployer(row);
}

/** What the directory's filters can be set to, from the rows that are there. */
export async function filterOptions(db: Db): Promise<EmployerFilterOptions> {
  const distinct = <C extends 'state' | 'ownership_type' | 'trauma_level' | 'employer_type'>(
    column: C,
  ) =>
    db
      .selectFrom('employers')
      .select(column)
      .distinct()
      .where(column, 'is not', null)
      .orderBy(column)
      .execute();
  const [total, states, types, ownership, trauma] = await Promise.all([
    db
      .selectFrom('employers')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    distinct('state'),
    distinct('employer_type'),
    distinct('ownership_type'),
    distinct('trauma_level'),
  ]);
  return {
    total_employers: total.count,
    states: states.flatMap(({ state }) => state ?? []),
    employer_types: EMPLOYER_TYPE_KEYS.filter((key) =>
      types.some(({ employer_type }) => employer_type === key),
    ).map((value) => ({ value, label: EMPLOYER_TYPES[value] })),
    ownership_types: ownership.map(({ ownership_type }) => ownership_type),
    trauma_levels: TRAUMA_LEVELS.filter((level) =>
      trauma.some(({ trauma_level }) => trauma_level === level),
    ),
  };
}

/**
 * The employer of this name, case, spaces and punctuation aside, or a new one marked as
 * user-submitted. Two who type the same new name at once get the same employer
 * (employers_custom_name).
 */
export async function findOrAddByName(db: Db, name: string): Promise<number> {
  const existing = () =>
    db
      .selectFrom('employers')
      .select('id')
      .where('name_key', '=', sql<string>`public.name_key(${name})`)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  const found = await existing();
  if (found) return found.id;
  const added = await db
    .insertInto('employers')
    .values({ name, source: 'user', employer_type: 'others' })
    .onConflict((conflict) =>
      conflict.column('name_key').where('source', '=', 'user').doUpdateSet({ source: 'user' }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return added.id;
}
