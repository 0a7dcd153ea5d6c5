import type { ProofRequest } from '#contract/verification/proof-requests.ts';
import type { OwnProofRequest } from '#contract/verification/verification.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';

/**
 * Marks a locked case as waiting for the answer of its person, and releases it. Throws `asked_today`
 * if the person was asked on the same day.
 */
export async function markAsked(
  trx: Db,
  clock: Clock,
  { id, asked, asked_by }: { id: string; asked: ProofRequest; asked_by: string },
): Promise<void> {
  const asked_on = toDay(clock());
  const { numUpdatedRows } = await trx
    .updateTable('cases')
    .set({ asked, asked_on, asked_by, answered: false, holder: null })
    .where('id', '=', id)
    .where('asked_on', 'is distinct from', asked_on)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('asked_today');
}

/**
 * The person of an account has done something, such as correcting a name or confirming a mailbox.
 * Cases that wait for an answer return to their place in the queue. When is not stored.
 */
export async function markAnswered(trx: Db, accountId: string): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ answered: true })
    .where('account_id', '=', accountId)
    .where('asked', 'is not', null)
    .where('answered', '=', false)
    .execute();
}

/** What the person of an account was asked for last, while the case is open. */
export async function ownProofRequest(db: Db, accountId: string): Promise<OwnProofRequest | null> {
  const row = await db
    .selectFrom('cases')
    .select(['asked', 'asked_on', 'answered as is_answered'])
    .where('account_id', '=', accountId)
    .where('asked', 'is not', null)
    .orderBy('asked_on', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row as OwnProofRequest | undefined) ?? null;
}
