import { SHARED_DECISION_DAYS } from '#contract/limits.ts';
import type { SharedDecision } from '#contract/office/case-queue.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { countVerifiers } from '#server/features/accounts/identity/profiles.ts';

/** The first of two decisions, which waits for a second verifier. */
interface FirstDecision {
  readonly account_id: string;
  readonly decision: SharedDecision;
  /** `cli`, or the id of a verifier's account. */
  readonly actor: string;
  readonly decided_on: string;
  readonly reason: string | null;
}

/**
 * Adds a verifier's decision about a locked account. True if it is the second one, which may be
 * carried out; constraints require another verifier and another day. All commands count as one
 * verifier. Throws `one_verifier`, `second_verifier`, and `another_day`.
 */
export async function shareDecision(
  trx: Db,
  clock: Clock,
  {
    accountId,
    ...given
  }: Pick<FirstDecision, 'decision' | 'actor' | 'reason'> & {
    accountId: string;
  },
): Promise<boolean> {
  if ((await countVerifiers(trx)) < 2) throw new AppError('one_verifier');
  const decided_on = toDay(clock());
  const added = await trx
    .insertInto('shared_decisions')
    .values({ account_id: accountId, ...given, decided_on })
    .onConflict((conflict) => conflict.doNothing())
    .returning('actor')
    .executeTakeFirst();
  const all = await trx
    .selectFrom('shared_decisions')
    .select('actor')
    .where('account_id', '=', accountId)
    .where('decision', '=', given.decision)
    .execute();
  if (!added) {
    const isOwn = all.some(({ actor }) => actor === given.actor);
    throw new AppError(isOwn ? 'second_verifier' : 'another_day');
  }
  return all.length > 1;
}

/** The decisions about these accounts that wait for a second verifier. */
export async function firstDecisions(
  db: Db,
  accountIds: readonly string[],
): Promise<FirstDecision[]> {
  if (accountIds.length === 0) return [];
  const rows = await db
    .selectFrom('shared_decisions')
    .select(['account_id', 'decision', 'actor', 'decided_on', 'reason'])
    .where('account_id', 'in', accountIds)
    .orderBy('decided_on')
    .orderBy('decision')
    .execute();
  return rows.map((row) => ({ ...row, decision: row.decision as SharedDecision }));
}

export const isDecisionShared = async (db: Db, accountId: string): Promise<boolean> =>
  (await firstDecisions(db, [accountId])).length > 0;

/** Withdraws what waits, because it has been decided, or no longer applies. */
export async function dropSharedDecisions(
  trx: Db,
  accounts: readonly { readonly user: { readonly id: string } }[],
  only?: SharedDecision,
): Promise<void> {
  const ids = accounts.map(({ user }) => user.id);
  await trx
    .deleteFrom('shared_decisions')
    .where('account_id', 'in', ids)
    .$if(only !== undefined, (query) => query.where('decision', '=', only ?? ''))
    .execute();
}

/** Deletes decisions that no second verifier has confirmed in time. */
export async function deleteLapsedDecisions(db: Db, today: string): Promise<void> {
  const since = addDays(today, -SHARED_DECISION_DAYS);
  await db.deleteFrom('shared_decisions').where('decided_on', '<', since).execute();
}
