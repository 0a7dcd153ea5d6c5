import type { Case, CaseFile, CaseFilters, CaseQuery } from '#contract/case-queue.ts';
import { CASE_KIND_KEYS, CASE_ROLES, type CaseKind, type CasePriority } from '#contract/cases.ts';
import { AppError } from '#server/app-error.ts';
import {
  type CaseRow,
  claimCase,
  releaseCase,
  selectCase,
  selectNextId,
  selectQueue,
  type Viewer,
} from '#server/cases/queue.ts';
import type { Deps } from '#server/deps.ts';
import { countModerators } from '#server/features/accounts/service.ts';
import type { Caller } from '#server/plugins/access.ts';
import { staffNames } from '../staff-names.ts';
import { fileOf, headingsOf } from './files.ts';

type QueueDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
type Member = Pick<Caller, 'userId' | 'roles'>;

/** One page of the open cases that the caller may see. */
export async function listCases(
  deps: QueueDeps,
  caller: Member,
  query: CaseQuery,
): Promise<{ cases: Case[]; count: number }> {
  const { rows, count } = await selectQueue(deps.db, await viewerOf(deps, caller), query);
  return { cases: await toCases(deps, caller, rows), count };
}

/** A case with everything that its decision needs. Throws `not_found`. */
export async function readCase(
  deps: QueueDeps,
  caller: Member,
  id: string,
  filters: CaseFilters,
): Promise<CaseFile> {
  const viewer = await viewerOf(deps, caller);
  const row = await selectCase(deps.db, viewer, id);
  if (!row) throw new AppError('not_found');
  const [[shown], file, next_id] = await Promise.all([
    toCases(deps, caller, [row]),
    fileOf(deps, row),
    selectNextId(deps.db, viewer, filters, row),
  ]);
  if (!shown || !file) throw new AppError('not_found');
  return { case: shown, file, next_id };
}

/** Throws `case_claimed`, `own_decision`, and `case_closed`. */
export const claim = async (deps: QueueDeps, caller: Member, id: string): Promise<Case> =>
  toCase(deps, caller, await claimCase(deps.db, await viewerOf(deps, caller), id));

/** Throws `case_closed`. */
export const release = async (deps: QueueDeps, caller: Member, id: string): Promise<Case> =>
  toCase(deps, caller, await releaseCase(deps.db, await viewerOf(deps, caller), id));

async function toCase(deps: QueueDeps, caller: Member, row: CaseRow): Promise<Case> {
  const [shown] = await toCases(deps, caller, [row]);
  if (!shown) throw new AppError('case_closed');
  return shown;
}

async function toCases(deps: QueueDeps, caller: Member, rows: readonly CaseRow[]): Promise<Case[]> {
  const holders = rows.flatMap(({ holder }) => holder ?? []);
  const [headings, names] = await Promise.all([headingsOf(deps, rows), staffNames(deps, holders)]);
  const now = deps.clock();
  return rows.flatMap((row) => {
    const heading = headings.get(row.id);
    const { id, kind, priority, opened_on, holder, held_until } = row;
    const isHeld = holder !== null && held_until !== null && held_until > now;
    // Its subject may have been deleted a moment ago.
    if (!heading) return [];
    return {
      id,
      kind: kind as CaseKind,
      priority: priority as CasePriority,
      opened_on,
      ...heading,
      claim: isHeld
        ? {
            is_own: holder === caller.userId,
            name: names.get(holder) ?? '',
            until: held_until.toISOString(),
          }
        : null,
    };
  });
}

const viewerOf = async ({ db, clock }: QueueDeps, { userId, roles }: Member): Promise<Viewer> => ({
  userId,
  kinds: CASE_KIND_KEYS.filter((kind) => roles.includes(CASE_ROLES[kind])),
  isOnlyModerator: roles.includes('moderator') && (await countModerators(db)) === 1,
  now: clock(),
});
