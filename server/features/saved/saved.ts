import type { SavedEmployers, SavedList } from '#contract/saved/saved.ts';
import { fits } from '#contract/saved/saved-address.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { sealedTable } from '#server/db/sealed-table.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { holdAccount } from '#server/features/accounts/identity/account-queries.ts';
import { confirmCaller } from '#server/features/accounts/session/authentication.ts';
import { listedByAnyId } from '#server/features/employers/employers.ts';
import { reviewedDaysOf } from '#server/features/reviews/new-reviews.ts';
import type { Caller } from '#server/plugins/access.ts';

/** Locks the list until the transaction ends. */
function lockList(trx: Db, userId: string) {
  return trx
    .selectFrom('saved_lists')
    .select('sealed')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Does nothing if the account has a list, even one that another transaction is adding. */
async function insertList(trx: Db, userId: string, sealed: Buffer): Promise<void> {
  await trx
    .insertInto('saved_lists')
    .values({ user_id: userId, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function updateList(trx: Db, userId: string, sealed: Buffer): Promise<void> {
  await trx.updateTable('saved_lists').set({ sealed }).where('user_id', '=', userId).execute();
}

const NOTHING_SAVED: SavedList = { entries: [], weekly_mail: false };

/**
 * Fits the longest list (SAVED_CHARACTERS_MAX) and the setting. All lists are sealed at this
 * length: saved_lists_length.
 */
const LIST_BLOCK_BYTES = 3584;

/** Sealed under the authorship key. */
export const lists = sealedTable<SavedList>({
  table: 'saved_lists',
  context: 'saved-list',
  blockBytes: LIST_BLOCK_BYTES,
  keysOf: (keys) => keys.savedLists,
});

/** The list with these entries first. */
const withEntries = (list: SavedList, added: readonly string[]): SavedList => ({
  ...list,
  entries: [...new Set([...added, ...list.entries])],
});

const withoutEntries = (list: SavedList, removed: readonly string[]): SavedList => ({
  ...list,
  entries: list.entries.filter((entry) => !removed.includes(entry)),
});

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

const WEEKLY_MAIL = 'weekly mail';

/**
 * Marks of everything that accounts have saved, and of each opt-in to the weekly mail: keyed hashes
 * that name no account. A list whose key is lost has none.
 */
export async function* savedMarks(db: Db, keys: Keys): AsyncGenerator<Buffer[]> {
  for await (const opened of openLists(db, keys)) {
    yield opened.flatMap(({ userId, list }) =>
      [...list.entries, ...(list.weekly_mail ? [WEEKLY_MAIL] : [])].flatMap((what) =>
        keys.savedMarks(userId, what).slice(0, 1),
      ),
    );
  }
}

/**
 * Removes what was removed since these marks were taken: everything without a mark under any
 * current key. `known` returns the existing ones among some marks, in hexadecimal.
 */
export async function removeUnmarked(
  trx: Db,
  keys: Keys,
  known: (marks: readonly Buffer[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  for await (const opened of openLists(trx, keys)) {
    const marksOf = (userId: string, what: string) => keys.savedMarks(userId, what);
    const all = opened.flatMap(({ userId, list }) =>
      [...list.entries, WEEKLY_MAIL].flatMap((what) => marksOf(userId, what)),
    );
    const marks = await known(all);
    for (const { userId, list } of opened) {
      const isKept = (what: string) =>
        marksOf(userId, what).some((mark) => marks.has(mark.toString('hex')));
      const entries = list.entries.filter(isKept);
      const weekly_mail = list.weekly_mail && isKept(WEEKLY_MAIL);
      if (entries.length === list.entries.length && weekly_mail === list.weekly_mail) continue;
      await updateList(trx, userId, lists.seal(keys, userId, { entries, weekly_mail }));
    }
  }
}

async function* openLists(db: Db, keys: Keys) {
  for await (const rows of lists.batches(db)) {
    yield rows.flatMap(({ user_id: userId, sealed }) => {
      const list = lists.open(keys, userId, sealed);
      return list ? [{ userId, list }] : [];
    });
  }
}
