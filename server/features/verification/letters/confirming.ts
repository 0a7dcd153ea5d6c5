import { LETTER_ATTEMPTS, LETTER_ENTER_DAYS } from '#contract/limits.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { recordProof } from '#server/features/verification/service.ts';
import { wrongCode } from '../wrong-code.ts';
import { isLetterCode } from './code.ts';
import { type LetterRow, openLetter, sealLetter } from './letter.ts';
import { countAttempt, deleteLetter, replaceSealed } from './queries.ts';
import { holdWantingLetter } from './wanted.ts';

type ConfirmDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>;

/** Takes the code from a letter as proof. Throws `invalid_proof_code` and `nothing_to_prove`. */
export async function confirmLetter(
  deps: ConfirmDeps,
  userId: string,
  code: string,
): Promise<void> {
  // What is refused is counted all the same, so the refusal comes after the commit.
  const isRight = await inTransaction(deps.db, async (trx) => {
    await holdWantingLetter(deps, trx, userId);
    if (!(await tryCode(deps, trx, userId, code))) return false;
    await deleteLetter(trx, userId);
    await recordProof(deps, trx, userId, { kind: 'letter' });
    return true;
  });
  if (!isRight) throw wrongCode();
}

async function tryCode(
  { keys, clock }: ConfirmDeps,
  trx: Db,
  userId: string,
  code: string,
): Promise<boolean> {
  const since = addDays(toDay(clock()), -LETTER_ENTER_DAYS);
  const row = await countAttempt(trx, userId, { attempts: LETTER_ATTEMPTS, since });
  const page = row && openLetter(keys, row)?.page;
  if (!page) return false;
  if (isLetterCode(page.code, code)) return true;
  if (row.attempts >= LETTER_ATTEMPTS) await wipe(keys, trx, row);
  return false;
}

/** Nobody can use this letter any more: code, name and address go. */
async function wipe(keys: Deps['keys'], trx: Db, row: LetterRow): Promise<void> {
  const content = openLetter(keys, row);
  if (!content) return;
  const wiped = sealLetter(keys, row.user_id, { ...content, page: null });
  await replaceSealed(trx, row.user_id, row.sealed, wiped);
}
