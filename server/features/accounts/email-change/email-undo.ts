import { ACCOUNT_MESSAGES } from '#contract/accounts/account-messages.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { passwordColumns } from '#server/features/accounts/credentials/author-secret.ts';
import {
  type DerivedPassword,
  unusablePassword,
} from '#server/features/accounts/credentials/passwords.ts';
import { dropPendingEmail, pendingEmail } from '#server/features/accounts/links/pending-email.ts';
import { dropResetLinks } from '#server/features/accounts/links/reset-links.ts';
import {
  dropUndoLinksFrom,
  findUndoLink,
  fingerprintOf,
} from '#server/features/accounts/links/undo-links.ts';
import { lockAccount } from '../identity/account-queries.ts';
import { isTaken, updateAccount } from '../identity/account-writes.ts';
import { emailIndex, isSameAddress, openIdentity, sealIdentity } from '../identity/identity.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { falseWhenTaken } from './email-change.ts';

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
  await dropResetLinks(keys, trx, userId);
  await dropPendingEmail(keys, trx, userId);
  await dropUndoLinksFrom(keys, trx, userId, rank);
  return isConfirmed ? ACCOUNT_MESSAGES.emailChangeUndone : ACCOUNT_MESSAGES.emailChangeStopped;
}
