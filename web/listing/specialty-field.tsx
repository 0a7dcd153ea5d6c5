import { useState } from 'react';
import { browserEvents, browserStorage, isRoomFor, storedText, useStore } from '#web/lib/store.ts';
import { allMatches, OptionField } from './option-field.tsx';

/** The specialty that was chosen last, stored in this browser only. */
const stored = storedText('my_specialty', browserStorage, browserEvents);

/** Remembers a specialty that was chosen from a list, unless the choice was cleared. */
export const rememberSpecialty = (specialty: string) => {
  // Optional: the filter works without it.
  if (specialty !== '') isRoomFor(() => stored.set(specialty));
};

/** These specialties, starting with the visitor's own. */
export function useMineFirst(specialties: readonly string[]): readonly string[] {
  const mine = useStore(stored, (text) => text);
  return mine !== null && specialties.includes(mine)
    ? [mine, ...specialties.filter((one) => one !== mine)]
    : specialties;
}

interface SpecialtyFieldProps {
  value: string;
  /** Null while they are loading. */
  options: readonly string[] | null;
  placeholder?: string;
  hint?: string;
  onChoose: (specialty: string) => void;
}

const NONE: readonly string[] = [];

type Match = NonNullable<Parameters<typeof OptionField>[0]['match']>;
const none: Match = () => [];

/** Finds a specialty by its name, or by another word for it, such as "hospitalist". */
export function SpecialtyField({
  value,
  options,
  placeholder = 'Any specialty',
  hint,
  onChoose,
}: SpecialtyFieldProps) {
  const mineFirst = useMineFirst(options ?? NONE);
  const [findByWord, setFindByWord] = useState(() => none);

  /** Runs once the field is used. Until the words are loaded, or offline, only names are found. */
  async function loadWords() {
    const words = await import('./specialty-words.ts').catch(() => null);
    if (words) setFindByWord(() => words.optionsByWord);
  }

  return (
    <OptionField
      label="Specialty"
      name="specialty"
      placeholder={placeholder}
      hint={hint}
      value={value}
      options={options && mineFirst}
      match={(all, typed) => matchSpecialties(all, typed, findByWord)}
      onUse={loadWords}
      format={asItIs}
      onChoose={(specialty) => {
        rememberSpecialty(specialty);
        onChoose(specialty);
      }}
    />
  );
}

const asItIs = (specialty: string) => specialty;

/** Specialties whose name contains the typed text come first. */
function matchSpecialties(options: readonly string[], typed: string, findByWord: Match): string[] {
  const byName = allMatches(options, typed);
  return [...byName, ...findByWord(options, typed).filter((option) => !byName.includes(option))];
}
