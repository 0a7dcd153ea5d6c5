import { ACCOUNT_MESSAGES } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { lockAccount, updateAccount } from '../identity/account-queries.ts';
import { emailIndex, isSameAddress, openIdentity, sealIdentity } from '../identity/identity.ts';
import { accountHash } from '../link-tokens.ts';
import { type DerivedPassword, unusablePassword } from '../password/passwords.ts';
import { deleteResetsOf } from '../password/reset-queries.ts';
import { passwordColumns } from '../review-lock/author-secret.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { isTaken } from '../signup/new-account.ts';
import { dropEmailChange, falseWhenTaken, pendingEmail } from './email-change.ts';
import { dropUndoLinksFrom, findUndoLink, fingerprintOf } from './undo-links.ts';

type UndoDeps = Pick<Deps, 'db' | 'keys' | 'clock' | 'jobs'>;

/**
 * Gives the account back to the address that a link was sent to: stops a change that waits, or
 * undoes one that was confirmed. Whoever made the change may hold the account, so whatever they
 * could come back with ends: sessions, reset links, a password that was set since, and the links of
 * later addresses. Returns what to say. Throws `invalid_email_link`.
 */
export async function undoEmailChange(deps: UndoDeps, token: string): Promise<string> {
  // Nobody waits for it while the account is locked.
  const unusable = (await findUndoLink(deps, deps.db, token)) && (await unusablePassword());
  const done =
    unusable &&
    (await inTransaction(deps.db, (trx) => undo(deps, trx, token, unusable)).catch(falseWhenTaken));
  if (!done) throw new AppError('invalid_email_link');
  return done;
}

async function undo(
  deps: UndoDeps,
  trx: Db,
  token: string,
  unusable: DerivedPassword,
): Promise<string | false> {
  const { keys, jobs } = deps;
  const target = await findUndoLink(deps, trx, token);
  if (!target) return false;
  const { userId, email, rank } = target;
  const account = await lockAccount(trx, userId);
  // Of two at once, the first has used it up.
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
    // A recovery code, if there is one, brings locked reviews back at the reset that follows.
    await updateAccount(trx, userId, passwordColumns(unusable, null));
  }
  await endSessionsOf(keys, trx, userId);
  await deleteResetsOf(trx, accountHash(keys, 'password-reset', userId));
  await dropEmailChange(keys, trx, userId);
  await dropUndoLinksFrom(keys, trx, userId, rank);
  return isConfirmed ? ACCOUNT_MESSAGES.emailChangeUndone : ACCOUNT_MESSAGES.emailChangeStopped;
}
