import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { Hospital } from './import-row.ts';

/** The columns that come from the file. A later file may change them. */
const COLUMNS = {
  name: 'text',
  address: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
  phone: 'text',
  website: 'text',
  specialty: 'text',
  ownership_type: 'text',
  bed_count: 'integer',
  staff_count: 'integer',
  trauma_level: 'text',
  has_helipad: 'boolean',
  hospital_status: 'text',
} as const satisfies Record<Exclude<keyof Hospital, 'source_id'>, string>;

const names = Object.keys(COLUMNS);
const listed = (prefix?: string) =>
  sql.join(names.map((name) => (prefix ? sql.ref(`${prefix}.${name}`) : sql.ref(name))));
// An administrator's changes stay.
const chosen = sql.join(
  names.map((name) => {
    const [kept, given] = [sql.ref(`kept.${name}`), sql.ref(`given.${name}`)];
    return sql`case when ${sql.lit(name)} = any (kept.curated_fields) then ${kept} else ${given} end`;
  }),
);
const columnDefinitions = sql.join(
  Object.entries(COLUMNS).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
);
const assignments = sql.join(
  names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
);

/**
 * Adds new hospitals and updates those that differ, in one statement. Equal rows are not touched:
 * no lock, no dead row, no id used up. Writes in id order, so that concurrent imports do not
 * deadlock.
 */
export async function upsertHospitals(
  db: Db,
  hospitals: readonly Hospital[],
): Promise<{ added: number; changed: number }> {
  const { rows } = await sql<{ added: number; changed: number }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(hospitals)}::json)
        as hospital (source_id text, ${columnDefinitions})
    ),
    written as (
      insert into employers (source, employer_type, source_id, ${listed()})
      select 'hifld', 'hospital', given.source_id, ${chosen}
      from given
      left join employers kept on kept.source = 'hifld' and kept.source_id = given.source_id
      where kept.id is null or (${listed('kept')}) is distinct from (${chosen})
      order by given.source_id
      on conflict (source, source_id) do update set ${assignments}
      -- The conflict has locked an existing row, so its xmax is not 0.
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as changed
    from written
  `.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate has one row');
  return counts;
}
