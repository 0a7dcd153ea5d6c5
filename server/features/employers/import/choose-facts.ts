import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { ALIASES_MAX } from '#server/features/employers/employer-row.ts';

const CMS_FIRST = ['cms', 'cost_report', 'pos', 'hifld'] as const;
const BEDS_FIRST = ['pos', 'cost_report', 'hifld', 'cms'] as const;

/** The columns that come from files, and the sources that know each best. */
const COLUMNS = {
  name: ['text', CMS_FIRST],
  address: ['text', CMS_FIRST],
  city: ['text', CMS_FIRST],
  state: ['text', CMS_FIRST],
  zip: ['text', CMS_FIRST],
  phone: ['text', CMS_FIRST],
  website: ['text', CMS_FIRST],
  specialty: ['text', CMS_FIRST],
  ownership_type: ['text', CMS_FIRST],
  bed_count: ['integer', BEDS_FIRST],
  staff_count: ['integer', CMS_FIRST],
  trauma_level: ['text', CMS_FIRST],
  has_helipad: ['boolean', CMS_FIRST],
  hospital_status: ['text', ['pos', ...CMS_FIRST]],
} as const;
type Column = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as Column[];

export const listedColumns = (prefix?: string) =>
  sql.join(NAMES.map((name) => (prefix ? sql.ref(`${prefix}.${name}`) : sql.ref(name))));

const factOf = (name: Column) => sql`(facts ->> ${sql.lit(name)})::${sql.raw(COLUMNS[name][0])}`;
const orUnspecified = (name: Column, value: ReturnType<typeof factOf>) =>
  name === 'ownership_type' ? sql`coalesce(${value}, 'Not Specified')` : value;
export const WINNERS_OF_ONE = sql.join(NAMES.map((name) => orUnspecified(name, factOf(name))));

/** Of the newest records first, the value of the source that knows the fact best. */
const winnerOf = (name: Column) => {
  const order = sql.lit(`{${COLUMNS[name][1].join(',')}}`);
  const best = sql`(array_agg(${factOf(name)}
    order by is_gone, array_position(${order}::text[], source), as_of desc)
    filter (where facts ->> ${sql.lit(name)} is not null
      and facts ->> ${sql.lit(name)} <> 'Not Specified'))[1]`;
  return sql`${orUnspecified(name, best)} as ${sql.ref(name)}`;
};

// A curator's changes stay.
const CHOSEN = sql.join(
  NAMES.map((name) => {
    const [kept, given] = [sql.ref(`kept.${name}`), sql.ref(`best.${name}`)];
    return sql`case when ${sql.lit(name)} = any (kept.curated_fields) then ${kept} else ${given} end`;
  }),
);

/** Gives employers the facts of the source that knows each best, and all names as aliases. */
export async function chooseFacts(
  trx: Db,
  ids: readonly number[],
  { keepsOldNames }: { keepsOldNames: boolean },
): Promise<void> {
  // Without estimates of what this transaction has written, it would take minutes.
  await sql`analyze employer_identifiers, employer_records`.execute(trx);
  await sql`
    with records as (
      select coalesce(merged_into, employers.id) as id, record.source, facts,
        gone_on is not null as is_gone, as_of
      from employers
      join employer_identifiers known on known.employer_id = employers.id
      join employer_records record on record.scheme = known.scheme and record.value = known.value
      where coalesce(merged_into, employers.id) in (select unnest(${ids}::integer[]))
    ),
    best as (
      select id, ${sql.join(NAMES.map(winnerOf))},
        array_agg(facts ->> 'name') || array_agg(facts ->> 'source_name')
          || array_agg(facts ->> 'alt_name') as names
      from records group by id
    ),
    chosen as materialized (
      select best.*, public.name_key(case when 'name' = any(kept.curated_fields) then kept.name
        else best.name end) as key
      from best join employers kept using (id)
    ),
    others as (
      select chosen.id, (array_agg(other.name order by other.name))[1:${sql.lit(ALIASES_MAX)}] as aliases
      from chosen join employers kept using (id), lateral (
        select distinct on (named.key) named.name
        from (
          select name, public.name_key(name) as key
          from (
            select distinct name
            from unnest(kept.aliases || names
              || case when ${keepsOldNames}::boolean then kept.name end) as name
            where name is not null
          ) as one
        ) as named
        where named.key not in ('', chosen.key)
        order by named.key, named.name
      ) as other
      group by chosen.id
    )
    update employers as kept set (${listedColumns()}, aliases)
      = (select ${CHOSEN}, coalesce(others.aliases, '{}'))
    from chosen best left join others using (id)
    where kept.id = best.id
      and (${listedColumns('kept')}, kept.aliases)
        is distinct from (${CHOSEN}, coalesce(others.aliases, '{}'))`.execute(trx);
}
