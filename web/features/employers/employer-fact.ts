import {
  EMPLOYER_TYPES,
  HOSPITAL_STATUSES,
  TRAUMA_LEVELS,
} from '#contract/employers/employer-choices.ts';
import { type EmployerFact, type FactValue, readFact } from '#contract/employers/employer-facts.ts';
import { EMPLOYER_FACTS } from '#contract/employers/employer-sources.ts';
import { EMPLOYER_FACT_MAX, EMPLOYER_NAME_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { formatCount } from '#web/lib/format.ts';

type Choices = readonly (readonly [value: string, text: string])[];

const same = (values: readonly string[]): Choices => values.map((value) => [value, value]);

/** Facts with a fixed set of values. */
const CHOICES: Partial<Record<EmployerFact, Choices>> = {
  employer_type: Object.entries(EMPLOYER_TYPES),
  trauma_level: same(TRAUMA_LEVELS),
  has_helipad: [
    ['true', 'Yes'],
    ['false', 'No'],
  ],
  hospital_status: same(HOSPITAL_STATUSES),
};

const UNKNOWN = 'Unknown';

/** The text of a fact on the screen. */
export function factText(fact: EmployerFact, value: FactValue): string {
  if (value === null) return UNKNOWN;
  const choice = CHOICES[fact]?.find(([one]) => one === String(value));
  if (choice) return choice[1];
  if (typeof value === 'number') return formatCount(value);
  return fact === 'name' || fact === 'city' ? titleCase(String(value)) : String(value);
}

/** The field for a fact. An empty one means that it is not known. */
export function factField(fact: EmployerFact, value: FactValue | undefined): FieldSpec {
  const options = CHOICES[fact];
  return {
    name: fact,
    label: EMPLOYER_FACTS[fact],
    value: String(value ?? ''),
    read: (typed) => readFact(fact, typed),
    ...(options
      ? { kind: 'select', options, ...(fact !== 'employer_type' && { placeholder: UNKNOWN }) }
      : {
          maxLength: fact === 'name' ? EMPLOYER_NAME_MAX : EMPLOYER_FACT_MAX,
          inputMode: fact === 'bed_count' || fact === 'staff_count' ? 'numeric' : undefined,
          autoComplete: 'off',
        }),
  };
}
