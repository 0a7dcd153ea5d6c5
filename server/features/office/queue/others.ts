import type { SimilarDecision } from '#contract/case-queue.ts';
import { type CaseRow, selectQueue, type Viewer } from '#server/cases/queue.ts';
import { employerOf } from '#server/cases/search.ts';
import type { Deps } from '#server/deps.ts';
import { similarDecisions } from '#server/features/reviews/moderation/earlier-decisions.ts';
import { namesOf } from './history.ts';
import { casesOfEmployer, RELATIONS } from './search.ts';

/** How many other cases and decisions are shown with a case. */
const OTHERS_MAX = 10;

/** The most urgent other cases of the same kind about the same employer. */
export async function otherCases(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  { id, kind }: CaseRow,
): Promise<CaseRow[]> {
  // It must look like the first decision about a review.
  if (kind === 'second_look') return [];
  const ofKind = { ...viewer, kinds: viewer.kinds.filter((one) => one === kind) };
  const employer = await employerOf(db, id, RELATIONS);
  if (employer === null) return [];
  const cases = await casesOfEmployer(db, ofKind, employer);
  const among = cases.filter((other) => other !== id);
  const page = { among, page: 1, page_size: OTHERS_MAX };
  return among.length === 0 ? [] : (await selectQueue(db, ofKind, page)).rows;
}

/** The latest decisions about other reviews of the employer; for an appeal, under the same rule. */
export async function similarTo(
  deps: Pick<Deps, 'db' | 'keys'>,
  { userId: viewer }: Viewer,
  { kind, review_id }: CaseRow,
): Promise<SimilarDecision[]> {
  if (review_id === null || (kind !== 'report' && kind !== 'appeal')) return [];
  const rows = await similarDecisions(deps.db, review_id, {
    viewer,
    sameRule: kind === 'appeal',
    limit: OTHERS_MAX,
  });
  const nameOf = await namesOf(
    deps,
    rows.map(({ decided_by }) => decided_by),
  );
  return rows.map(({ decided_by, ...decision }) => ({ ...decision, by: nameOf(decided_by) }));
}
