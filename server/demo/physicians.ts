import type { Insertable } from 'kysely';
import { SPECIALTIES } from '#contract/specialties.ts';
import type { DB } from '#server/db/types.ts';
import { chance } from './data.ts';

interface DemoPlace {
  city?: string | null | undefined;
  state?: string | null | undefined;
  bed_count?: number | null | undefined;
}

/**
 * How many of 1,000 physicians in a city have each common specialty. Every other specialty has one
 * or two.
 */
const COMMON: Readonly<Record<string, number>> = {
  'Internal Medicine': 130,
  'Family Medicine': 130,
  Pediatrics: 70,
  'Emergency Medicine': 60,
  'Hospital Medicine': 60,
  Anesthesiology: 55,
  Psychiatry: 50,
  'Diagnostic Radiology': 45,
  'Obstetrics & Gynecology': 45,
  'General Surgery': 30,
  'Cardiovascular Disease': 30,
  Neurology: 20,
  Gastroenterology: 20,
  'Hematology & Oncology': 20,
};
const RARE = 1.5;

/** Fictional counts for the cities of the demo's employers, in place of an imported registry. */
export function demoPhysicians(
  employers: readonly DemoPlace[],
): Insertable<DB['physician_counts']>[] {
  const beds = new Map<string, number>();
  for (const { city, state, bed_count } of employers) {
    if (!city || !state) continue;
    const place = `${state}/${city.toUpperCase()}`;
    beds.set(place, (beds.get(place) ?? 0) + (bed_count ?? 0));
  }
  return [...beds].flatMap(([place, total]) => {
    const [state = '', city = ''] = place.split('/');
    const thousands = (100 + 4 * total) / 1000;
    return SPECIALTIES.flatMap(({ name, codes: [specialty] }) => {
      const expected = (COMMON[name] ?? RARE) * thousands;
      const physicians = Math.floor(expected * (0.7 + 0.6 * chance(`${place}/${name}`)) + 0.5);
      return specialty && physicians > 0 ? [{ state, city, specialty, physicians }] : [];
    });
  });
}
