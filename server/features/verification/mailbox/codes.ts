import { timingSafeEqual } from 'node:crypto';
import { OTP_ATTEMPTS, OTP_TTL_MS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { newMailedCode } from '#server/anonymity/mailed-code.ts';
import { openUnexpired, sealWithExpiry } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { mailboxMark } from './address.ts';
import { countAttempt, dropCode, findCode, putCode, selectCodes } from './queries.ts';

type CodeDeps = Pick<Deps, 'keys' | 'clock'>;

/** The sealed part of a code. Both hashes are keyed, in hexadecimal. */
interface MailboxCode {
  mark: string;
  hash: string;
  isResidency: boolean;
}

/** A mailbox whose code was correct. */
interface ProvenMailbox {
  mark: Buffer;
  isResidency: boolean;
}

const contextOf = (userId: string) => `mailbox-code/${userId}`;

/** Codes are short, so the hash is keyed, and bound to the mailbox. */
const codeHash = (keys: Pick<Keys, 'sessionIndex'>, mark: string, code: string) =>
  keys.sessionIndex('mailbox-code', `${mark}/${code}`);

/** Creates a code for a mailbox. It replaces an earlier one. */
export async function issueCode(
  { keys, clock }: CodeDeps,
  db: Db,
  userId: string,
  { email, isResidency }: { email: string; isResidency: boolean },
): Promise<string> {
  const code = newMailedCode();
  const mark = mailboxMark(keys, email).toString('hex');
  const hash = codeHash(keys, mark, code).toString('hex');
  const value: MailboxCode = { mark, hash, isResidency };
  const lifetime = { now: clock(), ttlMs: OTP_TTL_MS };
  await putCode(db, userId, sealWithExpiry(keys, contextOf(userId), value, lifetime));
  return code;
}

/** Counts an attempt. Null if the code is wrong or expired, or no attempts are left. */
export async function tryCode(
  { keys, clock }: CodeDeps,
  db: Db,
  userId: string,
  typed: string,
): Promise<ProvenMailbox | null> {
  const sealed = await countAttempt(db, userId, OTP_ATTEMPTS);
  const code = sealed && openCode(keys, userId, sealed, clock());
  if (!code) return null;
  const isRight = timingSafeEqual(Buffer.from(code.hash, 'hex'), codeHash(keys, code.mark, typed));
  return isRight ? { mark: Buffer.from(code.mark, 'hex'), isResidency: code.isResidency } : null;
}

/** Null if it has expired. */
const openCode = (keys: Pick<Keys, 'sealing'>, userId: string, sealed: Buffer, now: Date) =>
  openUnexpired<MailboxCode>(keys, contextOf(userId), sealed, now);

/** Whether there is a code to enter. */
export async function isCodeWaiting(
  { keys, clock }: CodeDeps,
  db: Db,
  userId: string,
): Promise<boolean> {
  const row = await findCode(db, userId);
  if (!row || row.attempts >= OTP_ATTEMPTS) return false;
  return openCode(keys, userId, row.sealed, clock()) !== null;
}

/** Deletes expired codes. */
export async function forgetMailboxCodes({
  db,
  keys,
  clock,
}: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  for (const { user_id, sealed } of await selectCodes(db)) {
    if (openCode(keys, user_id, sealed, clock()) === null) await dropCode(db, user_id, sealed);
  }
}
