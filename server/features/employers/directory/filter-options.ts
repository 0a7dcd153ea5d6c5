import { sql } from 'kysely';
import {
  EMPLOYER_TYPE_KEYS,
  EMPLOYER_TYPES,
  TRAUMA_LEVELS,
} from '#contract/employers/employer-choices.ts';
import type { EmployerFilterOptions } from '#contract/employers/employers.ts';
import type { Db } from '#server/db/open.ts';
import { LISTED } from '#server/features/employers/employer-row.ts';

type Counts = EmployerFilterOptions['counts'];

/** A value of a filter, with its count. The index employers_directory has all columns. */
interface Choice {
  state: string | null;
  employer_type: string | null;
  ownership_type: string | null;
  trauma_level: string | null;
  hospital_status: string | null;
  has_helipad: boolean | null;
  /** One bit per column: 0 for the column that this row is grouped by. */
  grouped_by: string;
  count: number;
  count_in_state: number;
}

const COLUMNS = [
  'state',
  'employer_type',
  'ownership_type',
  'trauma_level',
  'hospital_status',
  'has_helipad',
] as const;

/**
 * The choices of the directory's filters, with the number of employers for each: in the state, if
 * one is given. States and the total are always counted nationwide.
 */
export async function selectFilterOptions(
  db: Db,
  state: string | null,
): Promise<Omit<EmployerFilterOptions, 'specialties'>> {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)));
  const { rows } = await sql<Choice>`
    select ${columns}, grouping(${columns})::bit(6)::text as grouped_by, count(*),
      count(*) filter (where ${state}::text is null or state = ${state}) as count_in_state
    from employers where ${LISTED}
    group by grouping sets (${sql.join(COLUMNS.map((column) => sql`(${sql.ref(column)})`))}, ())
  `.execute(db);
  const countsOf = (
    column: (typeof COLUMNS)[number],
    count: 'count' | 'count_in_state' = 'count_in_state',
  ) =>
    Object.fromEntries(
      rows
        .filter((row) => row.grouped_by[COLUMNS.indexOf(column)] === '0' && row[column] !== null)
        .map((row) => [String(row[column]), row[count]] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  const counts: Counts = {
    states: countsOf('state', 'count'),
    employer_types: countsOf('employer_type'),
    ownership_types: countsOf('ownership_type'),
    trauma_levels: countsOf('trauma_level'),
    hospital_statuses: countsOf('hospital_status'),
    has_helipad: countsOf('has_helipad'),
  };
  return {
    total_employers: rows.find((row) => row.grouped_by === '111111')?.count ?? 0,
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
