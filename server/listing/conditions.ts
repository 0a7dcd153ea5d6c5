import { type SqlBool, sql } from 'kysely';
import { allConditions, type Condition, checked } from './filters.ts';
import type { Criteria, List, Match, Search } from './resource.ts';

/** Finds all matches with the search index, which has terms for most filters. */
export function lookUp<C extends Criteria>(
  { isListed, filters }: List<C>,
  criteria: C,
  search?: Match,
): Condition[] {
  const set = filters(criteria);
  const terms = set.flatMap(({ term }) => term ?? []);
  return [
    isListed,
    ...(search ? [found(search)] : []),
    ...allConditions([...terms, ...set.map(checked)]),
  ];
}

/** What a search finds. */
const found = ({ match, also }: Match) =>
  also
    ? sql<SqlBool>`(search @@ ${match}::tsquery or ${also})`
    : sql<SqlBool>`search @@ ${match}::tsquery`;

/**
 * Checks each row that is read in order. The planner gets no estimate of the matches: it knows too
 * little about several words, and if it expects few, it reads and sorts everything instead. An order
 * with groups has one index, so the planner uses none for the filters either.
 */
export const walk = <C extends Criteria>(
  { isListed, filters }: Pick<List<C>, 'isListed' | 'filters'>,
  criteria: C,
  search?: Search,
  hasGroups = false,
): Condition[] => [
  isListed,
  ...allConditions(hasGroups ? filters(criteria).map(checked) : filters(criteria)),
  ...(search ? [sql<SqlBool>`coalesce(${found(search)}, false)`] : []),
];

export const all = (conditions: readonly Condition[]): Condition =>
  sql`${sql.join([...conditions], sql` and `)}`;
