import { sql } from 'kysely';
import { EMPLOYER_TYPE_KEYS, EMPLOYER_TYPES, TRAUMA_LEVELS } from '#contract/employer-choices.ts';
import type { EmployerFilterOptions } from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';

type Counts = EmployerFilterOptions['counts'];

/** What the directory's filters can be set to, from the employers that are there. */
export async function selectFilterOptions(db: Db): Promise<EmployerFilterOptions> {
  const { rows } = await sql<{
    filter: keyof Counts | 'all';
    choice: string;
    count: number;
  }>`
    select filter, choice, count(*) from employers, lateral (values
      ('all', ''),
      ('states', state),
      ('employer_types', employer_type),
      ('ownership_types', ownership_type),
      ('trauma_levels', trauma_level),
      ('hospital_statuses', hospital_status),
      ('has_helipad', has_helipad::text)
    ) as value (filter, choice)
    where merged_into is null and choice is not null
    group by filter, choice order by choice collate "C"
  `.execute(db);
  const countsOf = (filter: keyof Counts | 'all') =>
    Object.fromEntries(
      rows.filter((row) => row.filter === filter).map(({ choice, count }) => [choice, count]),
    );
  const counts: Counts = {
    states: countsOf('states'),
    employer_types: countsOf('employer_types'),
    ownership_types: countsOf('ownership_types'),
    trauma_levels: countsOf('trauma_levels'),
    hospital_statuses: countsOf('hospital_statuses'),
    has_helipad: countsOf('has_helipad'),
  };
  return {
    total_employers: countsOf('all')[''] ?? 0,
    states: Object.keys(counts.states),
    employer_types: EMPLOYER_TYPE_KEYS.filter((key) => key in counts.employer_types).map(
      (value) => ({ value, label: EMPLOYER_TYPES[value] }),
    ),
    ownership_types: Object.keys(counts.ownership_types),
    trauma_levels: TRAUMA_LEVELS.filter((level) => level in counts.trauma_levels),
    hospital_statuses: Object.keys(counts.hospital_statuses),
    counts,
  };
}
