import { OTP_ATTEMPTS } from '#contract/limits.ts';
import { toMonth } from '#server/anonymity/coarse-time.ts';
import { isMailedCode, newMailedCode, openMailedCode } from '#server/anonymity/codes.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { deleteExpiredRows } from '#server/db/sealed-table.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';

type QuotaKeys = Pick<Keys, 'mailboxQuotas'>;

/** A domain's proofs in a month, without the domain. */
export interface MailboxQuota {
  /** In hexadecimal. */
  readonly mark: string;
  /** The marks under older keys, during a rotation. */
  readonly older?: readonly string[];
  readonly month: string;
  /** How many proofs count. */
  readonly limit: number;
}

/**
 * Whoever runs a mail domain has all its mailboxes, and learns from each proof whether the NPI was
 * proven before. So only some count by themselves; the others wait for an administrator.
 */
export function quotaOf(
  { config, keys, clock }: Pick<Deps, 'config' | 'clock'> & { keys: QuotaKeys },
  { domain, proofs_per_month }: { domain: string; proofs_per_month: number | null },
): MailboxQuota {
  const month = toMonth(clock());
  const limit = proofs_per_month ?? config.mailboxProofsPerMonth;
  return { ...marksOf(keys, domain, month), month, limit };
}

function marksOf(keys: QuotaKeys, domain: string, month: string) {
  const marks = keys.mailboxQuotas(`${domain}/${month}`).map((mark) => mark.toString('hex'));
  const [mark = '', ...older] = marks;
  return { mark, older };
}

/** Counts a proof, whatever its outcome. False if it came after the quota. */
export async function takeQuota(trx: Db, quota: MailboxQuota): Promise<boolean> {
  const { mark, month, limit } = quota;
  if (limit === 0) return false;
  await moveCounts(trx, quota);
  const taken = await trx
    .insertInto('mailbox_quotas')
    .values({ mark: Buffer.from(mark, 'hex'), month, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('mark')
        .doUpdateSet((eb) => ({ used: eb('mailbox_quotas.used', '+', 1) }))
        .where('mailbox_quotas.used', '<', limit),
    )
    .returning('used')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Moves what was counted under older keys to the current one. Returns how many counts moved. */
async function moveCounts(
  trx: Db,
  { mark, older = [], month }: Omit<MailboxQuota, 'limit'>,
): Promise<number> {
  if (older.length === 0) return 0;
  const marks = older.map((one) => Buffer.from(one, 'hex'));
  const moved = await trx
    .deleteFrom('mailbox_quotas')
    .where('mark', '=', anyOf('bytea', marks))
    .returning('used')
    .execute();
  if (moved.length === 0) return 0;
  const used = moved.reduce((sum, row) => sum + row.used, 0);
  await trx
    .insertInto('mailbox_quotas')
    .values({ mark: Buffer.from(mark, 'hex'), month, used })
    .onConflict((conflict) =>
      conflict
        .column('mark')
        .doUpdateSet((eb) => ({ used: eb('mailbox_quotas.used', '+', eb.ref('excluded.used')) })),
    )
    .execute();
  return moved.length;
}

/**
 * Moves the counts of all domains to the current authorship key, and deletes waiting codes, which may
 * count under an older one. Returns how many counts moved.
 */
export async function rekeyQuotas({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<number> {
  await db.deleteFrom('mailbox_codes').execute();
  const rows = await db.selectFrom('mailbox_quotas').select(['mark', 'month']).execute();
  const domains = await db.selectFrom('institution_domains').select('domain').execute();
  const counted = new Set(rows.map(({ mark }) => mark.toString('hex')));
  let moved = 0;
  for (const month of new Set(rows.map((row) => row.month))) {
    for (const { domain } of domains) {
      const marks = marksOf(keys, domain, month);
      if (!marks.older.some((mark) => counted.has(mark))) continue;
      moved += await inTransaction(db, (trx) => moveCounts(trx, { ...marks, month }));
    }
  }
  return moved;
}

/** Deletes the counts of former months. */
export async function deleteEndedQuotas(db: Db, today: string): Promise<void> {
  const month = toMonth(new Date(today));
  await db.deleteFrom('mailbox_quotas').where('month', '<', month).execute();
}

/** The lowercase domain, as in institution_domains. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

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
