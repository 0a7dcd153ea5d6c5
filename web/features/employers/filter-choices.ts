import type { EmployerFilterOptions } from '#contract/employers.ts';
import type { DirectoryFilter } from './directory-query.ts';

interface Choice {
  value: string;
  label: string;
  count: number | undefined;
}

export interface ChoiceFilter {
  name: DirectoryFilter;
  label: string;
  any: string;
  choices: readonly Choice[];
}

/** The filters with a list to choose from. */
export function choiceFilters(options: EmployerFilterOptions | null): ChoiceFilter[] {
  const { counts } = options ?? {};
  const plain = (values: readonly string[] = [], countOf: Record<string, number> = {}) =>
    values.map((value) => ({ value, label: value, count: countOf[value] }));
  return [
    {
      name: 'state',
      label: 'State',
      any: 'All states',
      choices: plain(options?.states, counts?.states),
    },
    {
      name: 'employer_type',
      label: 'Employer type',
      any: 'All types',
      choices: (options?.employer_types ?? []).map(({ value, label }) => ({
        value,
        label,
        count: counts?.employer_types[value],
      })),
    },
    {
      name: 'ownership_type',
      label: 'Ownership',
      any: 'All kinds',
      choices: plain(options?.ownership_types, counts?.ownership_types),
    },
    {
      name: 'trauma_level',
      label: 'Trauma level',
      any: 'All levels',
      choices: plain(options?.trauma_levels, counts?.trauma_levels),
    },
    {
      name: 'hospital_status',
      label: 'Hospital status',
      any: 'All statuses',
      choices: plain(options?.hospital_statuses, counts?.hospital_statuses),
    },
    {
      name: 'has_helipad',
      label: 'Helipad',
      any: 'Either',
      choices: [
        { value: 'true', label: 'Yes', count: counts?.has_helipad['true'] },
        { value: 'false', label: 'No', count: counts?.has_helipad['false'] },
      ],
    },
  ];
}
