import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { BATCH_SIZE, selectLists, updateList } from './queries.ts';
import { openList, sealList } from './saved-list.ts';

/** Lists per statement. */
const WEEKLY_MAIL = 'weekly mail';

/**
 * Marks of everything that accounts have saved, and of each opt-in to the weekly mail: keyed hashes
 * that name no account. A list whose key is lost has none.
 */
export async function* savedMarks(db: Db, keys: Keys): AsyncGenerator<Buffer[]> {
  for await (const lists of openLists(db, keys)) {
    yield lists.flatMap(({ userId, list }) =>
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
  for await (const lists of openLists(trx, keys)) {
    const marksOf = (userId: string, what: string) => keys.savedMarks(userId, what);
    const all = lists.flatMap(({ userId, list }) =>
      [...list.entries, WEEKLY_MAIL].flatMap((what) => marksOf(userId, what)),
    );
    const marks = await known(all);
    for (const { userId, list } of lists) {
      const isKept = (what: string) =>
        marksOf(userId, what).some((mark) => marks.has(mark.toString('hex')));
      const entries = list.entries.filter(isKept);
      const weekly_mail = list.weekly_mail && isKept(WEEKLY_MAIL);
      if (entries.length === list.entries.length && weekly_mail === list.weekly_mail) continue;
      await updateList(trx, userId, sealList(keys, userId, { entries, weekly_mail }));
    }
  }
}

async function* openLists(db: Db, keys: Keys) {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await selectLists(db, after);
    yield rows.flatMap(({ user_id: userId, sealed }) => {
      const list = openList(keys, userId, sealed);
      return list ? [{ userId, list }] : [];
    });
    const last = rows.at(-1);
    if (rows.length < BATCH_SIZE || !last) return;
    after = last.user_id;
  }
}
