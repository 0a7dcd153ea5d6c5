import { sql } from 'kysely';
import type { EmployerQuery } from '#contract/employers.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { walk } from '#server/listing/conditions.ts';
import { kept, type ListDeps } from '#server/listing/listing.ts';
import { EMPLOYERS } from './directory-query.ts';

/** Searches per statement. */
const AT_ONCE = 50;

/** Which of the given employers each directory search finds, in the order of the searches. */
export async function findAmong(
  deps: ListDeps,
  searches: readonly EmployerQuery[],
  ids: readonly number[],
): Promise<number[][]> {
  const found: number[][] = searches.map(() => []);
  for (let first = 0; first < searches.length; first += AT_ONCE) {
    const finds = [];
    for (const [place, { search: text, ...criteria }] of searches
      .slice(first, first + AT_ONCE)
      .entries()) {
      const search = text
        ? await kept(deps, EMPLOYERS, `search/${text}`, () => EMPLOYERS.understand(deps.db, text))
        : undefined;
      if (search === null) continue;
      finds.push(sql`
        select ${first + place}::int as place, id from employers
        where id = any(${ids}::integer[])
          and ${sql.join(walk(EMPLOYERS, criteria, search), sql` and `)}`);
    }
    if (finds.length === 0) continue;
    const { rows } = await sql<{ place: number; id: number }>`
      ${sql.join(finds, sql` union all `)} ${UNNAMED}`.execute(deps.db);
    for (const { place, id } of rows) found[place]?.push(id);
  }
  return found;
}
