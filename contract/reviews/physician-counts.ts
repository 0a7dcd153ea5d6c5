import * as z from 'zod/mini';

/** `GET /physician-counts/?state=TX`: by state, so that the request does not reveal the city. */
export const PhysicianCountsQuery = z.strictObject({
  state: z.string('Must be a state').check(z.regex(/^[A-Z]{2}$/, 'Must be a state')),
});

/**
 * The active physicians of a state, from the imported NPI registry: `cityKey` -> Health Care
 * Provider Taxonomy code -> number. Empty if nothing is known about the state.
 */
export const PhysicianCounts = z.strictObject({
  cities: z.record(z.string(), z.record(z.string(), z.int())),
});
export type PhysicianCounts = z.infer<typeof PhysicianCounts>;

/** Words that addresses abbreviate. */
const SHORT: Readonly<Record<string, string>> = {
  SAINT: 'ST',
  SAINTE: 'STE',
  FORT: 'FT',
  MOUNT: 'MT',
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
};

/** "St. Louis" and "SAINT LOUIS" are one city: "ST LOUIS". */
export const cityKey = (city: string): string =>
  city
    .normalize('NFKD')
    .toUpperCase()
    .replace(/['’.\p{M}]/gu, '')
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
    .map((word) => SHORT[word] ?? word)
    .join(' ');
