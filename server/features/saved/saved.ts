import type { SavedEmployers, SavedList } from '#contract/saved/saved.ts';
import { fits } from '#contract/saved/saved-address.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { holdAccount } from '#server/features/accounts/identity/account-queries.ts';
import { confirmCaller } from '#server/features/accounts/session/authentication.ts';
import { listedByAnyId } from '#server/features/employers/employers.ts';
import { reviewedDaysOf } from '#server/features/reviews/new-reviews.ts';
import type { Caller } from '#server/plugins/access.ts';
import { insertList, lockList, updateList } from './queries.ts';
import { lists, NOTHING_SAVED, withEntries, withoutEntries } from './saved-list.ts';

type ListDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/** What an account has saved. */
export async function readSaved(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userId: string,
): Promise<SavedList> {
  const sealed = await lists.find(db, userId);
  return (sealed && lists.open(keys, userId, sealed)) ?? NOTHING_SAVED;
}

/** Saves entries, newest first. Throws `saved_full` if not all of them fit. */
export const saveEntries = (deps: ListDeps, caller: Caller, entries: readonly string[]) =>
  changeOwn(deps, caller, (list) => {
    const changed = withEntries(list, entries);
    // A list that was already full may lose entries, and keep the rest.
    if (!fits(changed.entries) && changed.entries.length > list.entries.length) {
      throw new AppError('saved_full');
    }
    return changed;
  });

export const removeEntries = (deps: ListDeps, caller: Caller, entries: readonly string[]) =>
  changeOwn(deps, caller, (list) => withoutEntries(list, entries));

export const switchWeeklyMail = (deps: ListDeps, caller: Caller, weekly_mail: boolean) =>
  changeOwn(deps, caller, (list) => ({ ...list, weekly_mail }));

function changeOwn(
  deps: ListDeps,
  caller: Caller,
  change: (list: SavedList) => SavedList,
): Promise<SavedList> {
  return inTransaction(deps.db, async (trx) => {
    // The account may have been deleted, or the session ended, during the request.
    if (!(await holdAccount(trx, caller.userId))) throw new AppError('authentication_required');
    await confirmCaller(deps, trx, caller);
    await insertList(trx, caller.userId, lists.seal(deps.keys, caller.userId, NOTHING_SAVED));
    return changeList(deps, trx, caller.userId, change);
  });
}

/** Changes a list, starting from its latest state. Without a list, there is nothing to change. */
export async function changeList(
  { keys }: Pick<Deps, 'keys'>,
  trx: Db,
  userId: string,
  change: (list: SavedList) => SavedList,
): Promise<SavedList> {
  const row = await lockList(trx, userId);
  if (!row) return NOTHING_SAVED;
  const changed = change(lists.open(keys, userId, row.sealed) ?? NOTHING_SAVED);
  await updateList(trx, userId, lists.seal(keys, userId, changed));
  return changed;
}

/** Saved employers in their current state, in the order of `ids`. */
export async function savedEmployers(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  ids: readonly number[],
): Promise<SavedEmployers> {
  const employers = await listedByAnyId(db, ids);
  const current = [...employers.values()].map(({ id }) => id);
  const reviewed = await reviewedDaysOf(db, current);
  const firstFrom = addDays(toDay(clock()), -6);
  const results = [...new Set(ids)].flatMap((id) => {
    const employer = employers.get(id);
    if (!employer) return [];
    const days = reviewed.get(employer.id);
    const is_first_review = days !== undefined && days.oldest >= firstFrom;
    return [{ id, employer, newest_review_on: days?.newest ?? null, is_first_review }];
  });
  return { results };
}
