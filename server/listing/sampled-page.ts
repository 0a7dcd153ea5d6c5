import { sql } from 'kysely';
import { all, lookUp } from './conditions.ts';
import type { Criteria, Resource, Search } from './listing.ts';
import { offsetOf } from './page.ts';
import { type Ids, orderOf, wantedOf } from './page-query.ts';

/** With three standard deviations, the sample has too many of the first matches in 1 page of 1,000. */
const DEVIATIONS = 3;

/**
 * The ids of a page, found among the first matches of the order alone. The sample says where these
 * end: at a row that most likely comes after the page. Finds too few rows if the sample misleads.
 */
export function sampledIds<C extends Criteria, S extends Search>(
  resource: Resource<C, S>,
  criteria: C,
  search: S,
): Ids {
  const { by, upTo } = orderOf(resource, criteria);
  const { name, sample, sortColumns } = resource;
  if (!sample || !upTo) throw new Error(`no sample for the order ${criteria.ordering}`);
  const conditions = lookUp(resource, criteria, search);
  return sql`
    with in_sample as materialized (
      select ${sortColumns} from ${sql.ref(name)} where ${all([...conditions, sample.has])}
    ),
    last as (
      select * from in_sample
      order by ${by} limit 1 offset ${rowsBefore(wantedOf(criteria), sample.share)}
    ),
    matches as materialized (
      select ${sortColumns} from ${sql.ref(name)}
      where ${all(conditions)} and search @@ (select (${upTo})::tsquery from last)
    )
    select id from matches order by ${by} limit ${criteria.page_size} offset ${offsetOf(criteria)}`;
}

/** How many rows of the sample there are at most among the first `wanted` rows. */
function rowsBefore(wanted: number, share: number): number {
  const expected = wanted / share;
  return Math.ceil(expected + DEVIATIONS * (Math.sqrt(expected) + 1));
}
