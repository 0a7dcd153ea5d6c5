import { sql } from 'kysely';
import { cityKey, type PhysicianCounts } from '#contract/reviews/physician-counts.ts';
import type { Db } from '#server/db/open.ts';

interface Row {
  city: string;
  counts: Record<string, number>;
}

/** The physicians of a state, from the primary key of physician_counts. */
export async function countPhysicians(db: Db, state: string): Promise<PhysicianCounts> {
  const { rows } = await sql<Row>`
    select city, json_object_agg(specialty, physicians) as counts
    from physician_counts where state = ${state} group by city order by city
  `.execute(db);
  const cities = new Map<string, Map<string, number>>();
  for (const { city, counts } of rows) {
    // The registry has several spellings of one city.
    const key = cityKey(city);
    const sums = cities.get(key) ?? new Map<string, number>();
    for (const [code, count] of Object.entries(counts)) {
      sums.set(code, (sums.get(code) ?? 0) + count);
    }
    cities.set(key, sums);
  }
  return {
    cities: Object.fromEntries([...cities].map(([key, sums]) => [key, Object.fromEntries(sums)])),
  };
}
