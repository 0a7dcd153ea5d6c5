import { CASE_ROLES, type CaseKind } from '#contract/cases.ts';
import { EmployerId } from '#contract/employers/employers.ts';
import type { CaseAct, HistoryQuery } from '#contract/office/case-queue.ts';
import { actsAbout, COMMAND } from '#server/audit-log.ts';
import { type CaseRow, subjectOf } from '#server/cases/queue.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { currentIds } from '#server/features/employers/queries.ts';
import type { Caller } from '#server/plugins/access.ts';
import { actorName, staffNames } from '../staff-names.ts';

/** What staff did about the subject of a case of each kind: the beginnings of acts of the log. */
const CASE_ACTS: Record<CaseKind, readonly string[]> = {
  report: ['review.', 'appeal.'],
  appeal: ['review.', 'appeal.'],
  // Not the decision that it is about.
  second_look: ['second-look.'],
  reply: ['reply.'],
  doctor: ['doctor.'],
  eviction: ['doctor.'],
  employer: ['employers.'],
  correction: ['correction.'],
  legal: ['legal.', 'demand.', 'gag.'],
  representative: ['representative.'],
};

type HistoryDeps = Pick<Deps, 'db' | 'keys'>;

/**
 * What staff did about the subject of a case of a kind, for whoever has its role. It names no author
 * and no reporter. Throws `permission_denied`.
 */
export function readHistory(
  deps: HistoryDeps,
  { roles }: Pick<Caller, 'roles'>,
  { kind, subject }: HistoryQuery,
): Promise<CaseAct[]> {
  if (!roles.includes(CASE_ROLES[kind])) throw new AppError('permission_denied');
  return actsOf(deps, kind, subject);
}

export const historyOf = (deps: HistoryDeps, row: CaseRow): Promise<CaseAct[]> =>
  actsOf(deps, row.kind as CaseKind, subjectOf(row));

async function actsOf(deps: HistoryDeps, kind: CaseKind, subject: string): Promise<CaseAct[]> {
  const subjects = kind === 'correction' ? await withMerged(deps, subject) : [subject];
  const rows = await actsAbout(deps.db, subjects, CASE_ACTS[kind]);
  const nameOf = await namesOf(
    deps,
    rows.map(({ actor }) => actor),
  );
  return rows.map(({ actor, action, happened_on }) => ({
    act: action,
    by: nameOf(actor),
    happened_on,
  }));
}

/** An employer, and the one it was merged into, with which its corrections have been logged since. */
async function withMerged({ db }: HistoryDeps, subject: string): Promise<string[]> {
  const id = EmployerId.safeParse(Number(subject));
  const current = id.success ? await currentIds(db, [id.data]) : new Map<number, number>();
  return [subject, ...[...current.values()].map(String)];
}

/** How each of these actors is shown. A decision by a command names nobody. */
export async function namesOf(
  deps: HistoryDeps,
  actors: readonly (string | null)[],
): Promise<(actor: string | null) => string> {
  const ids = actors.filter((actor): actor is string => actor !== null && actor !== COMMAND);
  const names = await staffNames(deps, ids);
  return (actor) => (actor === null ? 'Command or deleted account' : actorName(names, actor));
}
