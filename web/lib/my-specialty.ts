import { browserEvents, browserStorage, isRoomFor, storedText, useStore } from './store.ts';

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
