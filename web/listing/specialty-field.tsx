import { specialtiesMatching } from '#contract/specialty-of-title.ts';
import { rememberSpecialty, useMineFirst } from '#web/lib/my-specialty.ts';
import { allMatches, OptionField } from './option-field.tsx';

interface SpecialtyFieldProps {
  value: string;
  /** Null while they are loading. */
  options: readonly string[] | null;
  placeholder?: string;
  hint?: string;
  onChoose: (specialty: string) => void;
}

const NONE: readonly string[] = [];

/** Finds a specialty by its name, or by another word for it: "hospitalist". */
export function SpecialtyField({
  value,
  options,
  placeholder = 'Any specialty',
  hint,
  onChoose,
}: SpecialtyFieldProps) {
  const mineFirst = useMineFirst(options ?? NONE);
  return (
    <OptionField
      label="Specialty"
      name="specialty"
      placeholder={placeholder}
      hint={hint}
      value={value}
      options={options && mineFirst}
      match={matchSpecialties}
      format={asItIs}
      onChoose={(specialty) => {
        rememberSpecialty(specialty);
        onChoose(specialty);
      }}
    />
  );
}

const asItIs = (specialty: string) => specialty;

/** Those whose name has the typed text come first. */
function matchSpecialties(options: readonly string[], typed: string): string[] {
  const byName = allMatches(options, typed);
  const found = new Set(specialtiesMatching(typed));
  return [...byName, ...options.filter((option) => found.has(option) && !byName.includes(option))];
}
