import { OTP_ATTEMPTS } from '#contract/limits.ts';
import { isMailedCode, newMailedCode, openMailedCode } from '#server/anonymity/codes.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { deleteExpiredRows } from '#server/db/sealed-table.ts';
import type { Deps } from '#server/deps.ts';
import { domainOf } from '#server/email-domains.ts';
import type { MailboxQuota } from './quota.ts';

/**
 * A canonical address: lowercase, without a `+` suffix, which leads to the same mailbox (RFC 5233).
 * Dots stay: only consumer Gmail ignores them.
 */
function canonicalMailbox(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  const plus = local.indexOf('+');
  return `${plus > 0 ? local.slice(0, plus) : local}@${domainOf(email)}`;
}

/** Stored for a mailbox that has proven an account. It does not lead to the account. */
const mailboxMark = (keys: Pick<Keys, 'sessionIndex'>, email: string) =>
  keys.sessionIndex('mailbox-mark', canonicalMailbox(email));

type CodeDeps = Pick<Deps, 'keys' | 'clock'>;

/** The sealed part of a code. */
interface MailboxCode {
  /** In hexadecimal. */
  mark: string;
  isResidency: boolean;
  quota: MailboxQuota;
}

/** A mailbox whose code was correct. */
interface ProvenMailbox extends Pick<MailboxCode, 'isResidency' | 'quota'> {
  mark: Buffer;
}

const contextOf = (userId: string) => `mailbox-code/${userId}`;

const bindingOf = (mark: string) => ({ purpose: 'mailbox-code', boundTo: mark }) as const;

/** Creates a code for a mailbox. Replaces an earlier one. */
export async function issueCode(
  deps: CodeDeps,
  db: Db,
  userId: string,
  { email, ...institution }: { email: string } & Pick<MailboxCode, 'isResidency' | 'quota'>,
): Promise<string> {
  const mark = mailboxMark(deps.keys, email).toString('hex');
  const binding = { ...bindingOf(mark), context: contextOf(userId) };
  const value: MailboxCode = { mark, ...institution };
  const { code, sealed } = newMailedCode(deps, binding, value);
  await db
    .insertInto('mailbox_codes')
    .values({ user_id: userId, sealed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed, attempts: 0 }))
    .execute();
  return code;
}

/** Counts an attempt. Null if the code is wrong or expired, or no attempts are left. */
export async function tryCode(
  deps: CodeDeps,
  db: Db,
  userId: string,
  typed: string,
): Promise<ProvenMailbox | null> {
  const row = await db
    .updateTable('mailbox_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('user_id', '=', userId)
    .where('attempts', '<', OTP_ATTEMPTS)
    .returning('sealed')
    .executeTakeFirst();
  const code = row && openCode(deps, userId, row.sealed);
  if (!code || !isMailedCode(deps, bindingOf(code.mark), code, typed)) return null;
  const { isResidency, quota } = code;
  return { mark: Buffer.from(code.mark, 'hex'), isResidency, quota };
}

/** Null if it has expired. */
const openCode = (deps: CodeDeps, userId: string, sealed: Buffer) =>
  openMailedCode<MailboxCode>(deps, contextOf(userId), sealed);

/** Whether there is a code to enter. */
export async function isCodeWaiting(deps: CodeDeps, db: Db, userId: string) {
  const row = await db
    .selectFrom('mailbox_codes')
    .select('sealed')
    .where('user_id', '=', userId)
    .where('attempts', '<', OTP_ATTEMPTS)
    .executeTakeFirst();
  return row !== undefined && openCode(deps, userId, row.sealed) !== null;
}

/** Deletes expired codes. */
export const deleteExpiredMailboxCodes = (deps: CodeDeps & Pick<Deps, 'db'>) =>
  deleteExpiredRows(deps, 'mailbox_codes', 'user_id', contextOf);

export async function deleteCode(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('mailbox_codes').where('user_id', '=', userId).execute();
}

/** Marks a mailbox as used. False if it had been used before. */
export async function addMark(db: Db, mark: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('mailbox_marks')
    .values({ mark })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return added === 1n;
}
