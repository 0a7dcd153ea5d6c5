import { sql } from 'kysely';
import type { SimilarDecision } from '#contract/case-queue.ts';
import { type CaseRow, selectQueue, type Viewer } from '#server/cases/queue.ts';
import { aboutEmployers, casesAbout, employerOf } from '#server/cases/search.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { currentIds, employerWithMerged } from '#server/features/employers/service.ts';
import { similarDecisions } from '#server/features/reviews/service.ts';
import { namesOf } from './history.ts';
import { RELATIONS } from './search.ts';

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
  const employers = await employersOf(db, id);
  if (employers.length === 0) return [];
  const about = aboutEmployers(sql`select unnest(${employers}::integer[]) as id`, RELATIONS);
  const among = (await casesAbout(db, ofKind, about)).filter((other) => other !== id);
  const page = { among, page: 1, page_size: OTHERS_MAX };
  return among.length === 0 ? [] : (await selectQueue(db, ofKind, page)).rows;
}

/** The employer of a case, with those merged into it. */
async function employersOf(db: Db, id: string): Promise<number[]> {
  const employer = await employerOf(db, id, RELATIONS);
  if (employer === null) return [];
  const current = (await currentIds(db, [employer])).get(employer) ?? employer;
  return employerWithMerged(db, current);
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
