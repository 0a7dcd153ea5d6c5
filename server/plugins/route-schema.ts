import { Problem } from '#contract/problem.ts';

/** The refusals a route may answer, for its declared answers: all are problem details. */
export function refusals<Status extends number>(...statuses: Status[]) {
  return Object.fromEntries(statuses.map((status) => [status, Problem])) as Record<
    Status,
    typeof Problem
  >;
}
