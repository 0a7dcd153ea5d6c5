import type { ComponentPropsWithRef } from 'react';
import { EMPLOYER_TYPES, HOSPITAL_STATUSES, TRAUMA_LEVELS } from '#contract/employer-choices.ts';
import type { EmployerFact, FactValue } from '#contract/employer-facts.ts';
import { EMPLOYER_FACT_MAX, EMPLOYER_NAME_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { formatCount } from '#web/lib/format.ts';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

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

interface FactInputProps
  extends Pick<ComponentPropsWithRef<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'> {
  fact: EmployerFact;
  name: string;
  defaultValue: FactValue;
}

/** An input for a fact. `readFact` reads an empty one as unknown. */
export function FactInput({ fact, defaultValue, ...rest }: FactInputProps) {
  const text = defaultValue === null ? '' : String(defaultValue);
  const choices = CHOICES[fact];
  if (choices) {
    return (
      <Select {...rest} defaultValue={text}>
        {fact !== 'employer_type' && <option value="">{UNKNOWN}</option>}
        {choices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    );
  }
  return (
    <TextInput
      {...rest}
      defaultValue={text}
      maxLength={fact === 'name' ? EMPLOYER_NAME_MAX : EMPLOYER_FACT_MAX}
      inputMode={fact === 'bed_count' || fact === 'staff_count' ? 'numeric' : undefined}
      autoComplete="off"
    />
  );
}
