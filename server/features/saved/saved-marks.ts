import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { updateList } from './queries.ts';
import { lists } from './saved-list.ts';

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
