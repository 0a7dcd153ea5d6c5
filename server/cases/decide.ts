import { type Act, recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { type AboutCases, closeNamedCase, lockNamedCase } from './cases.ts';
import { requireVersion } from './version.ts';

/** What the log says; of the subject of the cases, unless it names another. */
export type DecidedAct = Pick<Act, 'action' | 'details'> & Partial<Pick<Act, 'subject'>>;

/** Who decides, about what, and what they read. Without kinds, the subject's cases stay as they are. */
export interface Decided<Before, Answer> extends AboutCases {
  /** The case that it closes; a command names none. */
  readonly case_id?: string | undefined;
  /** The version of the subject that was read. */
  readonly version?: string | undefined;
  /** Locks the subject, and reads what the other steps need; undefined if there is no such subject. */
  lock(trx: Db): Promise<Before | undefined>;
  /** Stores the first of two decisions instead, and returns its answer; undefined if one is enough. */
  postpone?(trx: Db, before: Before): Promise<Answer | undefined>;
  /** Whether something else about the subject remains to be decided. */
  leavesOpen?(before: Before): boolean;
  /** The current version of what was read. */
  versionOf?(before: Before, trx: Db): Promise<string | undefined> | string | undefined;
  /** Carries the decision out. Without `act`, nothing was left to decide. */
  change(trx: Db, before: Before): Promise<{ readonly act?: DecidedAct; readonly answer: Answer }>;
}

/**
 * Makes a decision in one transaction, always in this order: locks its subject, closes the cases,
 * requires that the subject is as it was read, changes it, and records the act. Throws `not_found`,
 * `case_closed`, `case_claimed`, `changed_meanwhile`, and what the steps throw.
 */
export function decide<Before, Answer>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { lock, postpone, leavesOpen, versionOf, change, ...decision }: Decided<Before, Answer>,
): Promise<Answer> {
  const { case_id, version, kinds, subject, actor } = decision;
  return inTransaction(db, async (trx) => {
    const before = await lock(trx);
    if (before === undefined) throw new AppError('not_found');
    const postponed = await postpone?.(trx, before);
    if (postponed !== undefined) return postponed;
    if (kinds.length > 0) {
      const end = leavesOpen?.(before) ? lockNamedCase : closeNamedCase;
      await end(trx, clock, case_id, decision);
    }
    const current = version === undefined ? undefined : await versionOf?.(before, trx);
    if (current !== undefined) requireVersion(version, current);
    const { act, answer } = await change(trx, before);
    const [id] = Object.values(subject);
    if (act) await recordAct(trx, clock, { actor, subject: String(id), ...act });
    return answer;
  });
}
