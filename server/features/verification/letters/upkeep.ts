import { toDay } from '#server/anonymity/coarse-time.ts';
import { currentKey, sealedWith } from '#server/anonymity/seal.ts';
import type { Deps } from '#server/deps.ts';
import { isOver, openLetter, sealLetter } from './letter.ts';
import { dropLetter, replaceSealed, selectLetters } from './queries.ts';

/** Deletes letters that nothing depends on any more. */
export async function forgetLetters({
  db,
  keys,
  clock,
}: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  const today = toDay(clock());
  for (const row of await selectLetters(db)) {
    const content = openLetter(keys, row);
    if (content && isOver(row, content, today)) await dropLetter(db, row.user_id, row.sealed);
  }
}

/** Seals letters under the current of `SEALING_KEYS`. One that changes meanwhile is sealed by that. */
export async function resealLetters({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<void> {
  const { id: current } = currentKey(keys.sealing);
  for (const row of await selectLetters(db)) {
    const content = openLetter(keys, row);
    if (!content || sealedWith(row.sealed) === current) continue;
    await replaceSealed(db, row.user_id, row.sealed, sealLetter(keys, row.user_id, content));
  }
}
