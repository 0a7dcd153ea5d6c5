import { EMAIL_CHANGE_TTL_MS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { openUnexpired, sealWithExpiry } from '#server/anonymity/seal.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { findAccountByEmail, lockAccount } from '../identity/account-queries.ts';
import { isTaken, updateAccount } from '../identity/account-writes.ts';
import { emailIndex, emailIndexes, openIdentity, sealIdentity } from '../identity/identity.ts';
import { accountHash, newToken, pageLink, tokenHash } from '../link-tokens.ts';
import { deleteResetsOf } from '../password/reset-queries.ts';
import * as queries from './email-change-queries.ts';
import { addUndoLink, isHeld, settleUndoLinks } from './undo-links.ts';

const PURPOSE = 'email-change';

interface PendingChange {
  userId: string;
  newEmail: string;
}

/** Binds a sealed change to its account. */
export const changeContext = (accountKey: Buffer) => `email-change/${accountKey.toString('hex')}`;

/** The new address that still has to be confirmed, or null. */
export async function pendingEmail(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  userId: string,
): Promise<string | null> {
  const accountKey = accountHash(keys, PURPOSE, userId);
  const change = await queries.findEmailChange(db, accountKey);
  if (!change) return null;
  const context = changeContext(accountKey);
  return openUnexpired<PendingChange>(keys, context, change.sealed, clock())?.newEmail ?? null;
}

/**
 * Mails a confirmation link to the new address, and a link that stops or undoes the change to the
 * old one. If the new address belongs to another account, or did a few days ago, it gets a notice
 * instead of the link, but the response is the same.
 */
export async function beginEmailChange(
  deps: Pick<Deps, 'config' | 'keys' | 'clock' | 'jobs'>,
  trx: Db,
  account: { id: string; email: string; passwordHash: string },
  newEmail: string,
): Promise<void> {
  const { config, keys, clock, jobs } = deps;
  const { id: userId, email: oldEmail } = account;
  const confirmToken = newToken();
  const accountKey = accountHash(keys, PURPOSE, userId);
  const pending: PendingChange = { userId, newEmail };
  const lifetime = { now: clock(), ttlMs: EMAIL_CHANGE_TTL_MS };
  const owner = await findAccountByEmail(trx, emailIndexes(keys, newEmail));
  const isHeldForOther = await isHeld(deps, trx, newEmail, userId);
  await queries.putEmailChange(trx, {
    account_key: accountKey,
    confirm_hash: tokenHash(keys, PURPOSE, confirmToken),
    sealed: sealWithExpiry(keys, changeContext(accountKey), pending, lifetime),
  });
  const link = pageLink(config.publicUrl, '/confirm-email', { token: confirmToken });
  await jobs.enqueue(
    trx,
    'send-mail',
    owner || isHeldForOther
      ? {
          to: newEmail,
          template: 'signup-attempted',
          props: { what: owner ? 'email' : 'former-email' },
        }
      : { to: newEmail, template: 'email-change-confirm', props: { link, newEmail } },
  );
  const undoToken = await addUndoLink(deps, trx, account);
  const undoLink = pageLink(config.publicUrl, '/stop-email-change', { token: undoToken });
  await jobs.enqueue(trx, 'send-mail', {
    to: oldEmail,
    template: 'email-change-notice',
    props: { undoLink, newEmail: masked(newEmail) },
  });
}

/** Its owner recognizes it: `a***@mail.example`. */
function masked(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}

/**
 * Makes the new address the address of the account. Password reset links in the old mailbox become
 * invalid. Throws `invalid_email_link`.
 */
export async function confirmEmailChange(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<void> {
  const { db, keys, clock } = deps;
  const confirmHash = tokenHash(keys, PURPOSE, token);
  const change = await queries.findByConfirmLink(db, confirmHash);
  const pending =
    change &&
    openUnexpired<PendingChange>(keys, changeContext(change.account_key), change.sealed, clock());
  if (!pending) throw new AppError('invalid_email_link');
  const { userId, newEmail } = pending;
  const changed = await inTransaction(db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (!account || (await isHeld(deps, trx, newEmail, userId))) return false;
    if (await isTaken(keys, trx, newEmail)) return false;
    if (!(await queries.takeByConfirmLink(trx, confirmHash))) return false;
    const before = openIdentity(keys, userId, account.sealed);
    const identity = { ...before, email: newEmail };
    await updateAccount(trx, userId, {
      sealed: sealIdentity(keys, userId, identity),
      email_index: emailIndex(keys, identity.email),
    });
    await deleteResetsOf(trx, accountHash(keys, 'password-reset', userId));
    await settleUndoLinks(deps, trx, userId, { left: before.email, now: newEmail });
    return true;
  }).catch(falseWhenTaken);
  if (!changed) throw new AppError('invalid_email_link');
}

/** Returns false if another account has taken the address; rethrows other errors. */
export function falseWhenTaken(error: unknown): false {
  if ((error as { constraint?: string }).constraint === 'users_email_unique') return false;
  throw error;
}

/** Cancels the pending change, if there is one. */
export function dropEmailChange(keys: Keys, db: Db, userId: string): Promise<void> {
  return queries.deleteEmailChange(db, accountHash(keys, PURPOSE, userId));
}
