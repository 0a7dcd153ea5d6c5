import { ACCOUNT_MESSAGES } from '#contract/accounts/account-rules.ts';
import { markAnswered } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  addUndoLink,
  dropLinks,
  dropUndoLinksFrom,
  findPendingEmail,
  findUndoLink,
  fingerprintOf,
  isReserved,
  pageLink,
  pendingEmail,
  putPendingEmail,
  settleUndoLinks,
  takePendingEmail,
} from '#server/features/accounts/mail-links.ts';
import { passwordColumns } from '../credentials/author-secret.ts';
import { type DerivedPassword, unusablePassword } from '../credentials/passwords.ts';
import { findAccountByEmail, lockAccount } from '../identity/account-queries.ts';
import { isTaken, updateAccount } from '../identity/account-writes.ts';
import {
  emailIndex,
  emailIndexes,
  isSameAddress,
  openIdentity,
  sealIdentity,
} from '../identity/identity.ts';
import { endSessionsOf } from '../session/sessions.ts';

/**
 * Mails a confirmation link to the new address, and to the old one a link that stops or undoes the
 * change. If the new address belongs to another account, or did a few days ago, it gets a notice
 * instead of the link, but the response is the same.
 */
export async function beginEmailChange(
  deps: Pick<Deps, 'config' | 'keys' | 'clock' | 'jobs'>,
  trx: Db,
  account: { id: string; email: string; passwordHash: string },
  newEmail: string,
): Promise<void> {
  const { config, keys, jobs } = deps;
  const { id: userId, email: oldEmail } = account;
  const owner = await findAccountByEmail(trx, emailIndexes(keys, newEmail));
  const isReservedForOther = await isReserved(deps, trx, newEmail, userId);
  const token = await putPendingEmail(deps, trx, { userId, newEmail });
  const link = pageLink(config.publicUrl, '/confirm-email', { token });
  await jobs.enqueue(
    trx,
    'send-mail',
    owner || isReservedForOther
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

/** Recognizable to its owner: `a***@mail.example`. */
function masked(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}

/**
 * Makes the new address the account's address. Password reset links in the old mailbox become
 * invalid. Throws `invalid_email_link`.
 */
export async function confirmEmailChange(deps: Pick<Deps, 'db' | 'keys' | 'clock'>, token: string) {
  const { db, keys } = deps;
  const pending = await findPendingEmail(deps, token);
  if (!pending) throw new AppError('invalid_email_link');
  const { userId, newEmail } = pending;
  const changed = await inTransaction(db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (!account || (await isReserved(deps, trx, newEmail, userId))) return false;
    if (await isTaken(keys, trx, newEmail)) return false;
    if (!(await takePendingEmail(keys, trx, token))) return false;
    const before = openIdentity(keys, userId, account.sealed);
    await updateAccount(trx, userId, {
      sealed: sealIdentity(keys, userId, { ...before, email: newEmail }),
      email_index: emailIndex(keys, newEmail),
    });
    await markAnswered(trx, userId);
    await dropLinks(keys, trx, userId);
    await settleUndoLinks(deps, trx, userId, { left: before.email, now: newEmail });
    return true;
  }).catch(falseWhenTaken);
  if (!changed) throw new AppError('invalid_email_link');
}

/** Returns false if another account has taken the address; rethrows other errors. */
function falseWhenTaken(error: unknown): false {
  if ((error as { constraint?: string }).constraint === 'users_email_unique') return false;
  throw error;
}

type UndoDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>;

/**
 * Stops a pending change of the email address, or undoes a confirmed one. The person who made the
 * change may control the account, so this ends everything that could let them back in: sessions, reset
 * links, a password set since then, and links of later addresses. Returns the message to show.
 * Throws `invalid_email_link`.
 */
export async function undoEmailChange(deps: UndoDeps, token: string): Promise<string> {
  // Computed before the account is locked.
  const unusable = (await findUndoLink(deps, deps.db, token)) && (await unusablePassword(deps));
  const done =
    unusable &&
    (await inTransaction(deps.db, (trx) => undo(deps, trx, token, unusable)).catch(falseWhenTaken));
  if (!done) throw new AppError('invalid_email_link');
  return done;
}

async function undo(deps: UndoDeps, trx: Db, token: string, unusable: DerivedPassword) {
  const { keys, jobs } = deps;
  const target = await findUndoLink(deps, trx, token);
  if (!target) return false;
  const { userId, email, rank } = target;
  const account = await lockAccount(trx, userId);
  // A concurrent request may have used the link.
  if (!account || !(await findUndoLink(deps, trx, token))) return false;
  const identity = openIdentity(keys, userId, account.sealed);
  const isConfirmed = !isSameAddress(identity.email, email);
  if (!isConfirmed && (await pendingEmail(deps, trx, userId)) === null) return false;

  if (isConfirmed) {
    if (await isTaken(keys, trx, email)) return false;
    const restored = { ...identity, email };
    await updateAccount(trx, userId, {
      sealed: sealIdentity(keys, userId, restored),
      email_index: emailIndex(keys, restored.email),
    });
    const mail = { to: identity.email, template: 'email-change-undone', props: {} } as const;
    await jobs.enqueue(trx, 'send-mail', mail);
  }
  if (fingerprintOf(account.password_hash) !== target.password) {
    // A recovery code restores locked reviews at the next reset.
    await updateAccount(trx, userId, passwordColumns(unusable, null));
  }
  await endSessionsOf(keys, trx, userId);
  await dropLinks(keys, trx, userId);
  await dropUndoLinksFrom(keys, trx, userId, rank);
  return isConfirmed ? ACCOUNT_MESSAGES.emailChangeUndone : ACCOUNT_MESSAGES.emailChangeStopped;
}
