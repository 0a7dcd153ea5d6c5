import { EMAIL_CHANGE_TTL_MS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { findAccountByEmail, lockAccount, updateAccount } from './account-queries.ts';
import * as queries from './email-change-queries.ts';
import { openInTime, sealFor } from './expiring.ts';
import { emailIndexes, indexColumns, openIdentity, sealIdentity } from './identity.ts';
import { accountHash, newToken, pageLink, tokenHash } from './link-tokens.ts';
import { deleteResetsOf } from './reset-queries.ts';
import { isTaken } from './taken.ts';

const PURPOSE = 'email-change';

interface PendingChange {
  userId: string;
  newEmail: string;
}

/** What binds a sealed change to the account it is for. */
export const changeContext = (accountKey: Buffer) => `email-change/${accountKey.toString('hex')}`;

/** The address that waits to become an account's own, if there is one. */
export async function pendingEmail(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  userId: string,
): Promise<string | null> {
  const accountKey = accountHash(keys, PURPOSE, userId);
  const change = await queries.findEmailChange(db, accountKey);
  if (!change) return null;
  const context = changeContext(accountKey);
  return openInTime<PendingChange>(keys, context, change.sealed, clock())?.newEmail ?? null;
}

/**
 * Lets a new address wait for the link that is sent there, and tells the old one, with a link that
 * stops it. An address that has an account already goes the same way, but its owner gets no link.
 */
export async function beginEmailChange(
  { config, keys, clock, jobs }: Pick<Deps, 'config' | 'keys' | 'clock' | 'jobs'>,
  trx: Db,
  userId: string,
  oldEmail: string,
  newEmail: string,
): Promise<void> {
  const [confirmToken, stopToken] = [newToken(), newToken()];
  const accountKey = accountHash(keys, PURPOSE, userId);
  const pending: PendingChange = { userId, newEmail };
  const lifetime = { now: clock(), ttlMs: EMAIL_CHANGE_TTL_MS };
  const owner = await findAccountByEmail(trx, emailIndexes(keys, newEmail));
  await queries.putEmailChange(trx, {
    account_key: accountKey,
    confirm_hash: tokenHash(keys, PURPOSE, confirmToken),
    stop_hash: tokenHash(keys, PURPOSE, stopToken),
    sealed: sealFor(keys, changeContext(accountKey), pending, lifetime),
  });
  const link = pageLink(config.publicUrl, '/confirm-email', { token: confirmToken });
  await jobs.enqueue(
    trx,
    'send-mail',
    owner
      ? { to: newEmail, template: 'signup-attempted', props: { what: 'email' } }
      : { to: newEmail, template: 'email-change-confirm', props: { link, newEmail } },
  );
  const stopLink = pageLink(config.publicUrl, '/stop-email-change', { token: stopToken });
  await jobs.enqueue(trx, 'send-mail', {
    to: oldEmail,
    template: 'email-change-notice',
    props: { stopLink, newEmail: masked(newEmail) },
  });
}

/** Enough to be recognized by its owner: `a***@mail.example`. */
function masked(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}

/**
 * Makes the waiting address the account's own: the link proves its mailbox. Links to reset the
 * password that the old mailbox holds end. Throws `invalid_email_link`.
 */
export async function confirmEmailChange(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<void> {
  const confirmHash = tokenHash(keys, PURPOSE, token);
  const change = await queries.findByConfirmLink(db, confirmHash);
  const pending =
    change &&
    openInTime<PendingChange>(keys, changeContext(change.account_key), change.sealed, clock());
  if (!pending) throw new AppError('invalid_email_link');
  const { userId, newEmail } = pending;
  const changed = await inTransaction(db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (!account || (await isTaken(keys, trx, { email: newEmail, npi: null }))) return false;
    if (!(await queries.takeByConfirmLink(trx, confirmHash))) return false;
    const identity = { ...openIdentity(keys, userId, account.sealed), email: newEmail };
    await updateAccount(trx, userId, {
      sealed: sealIdentity(keys, userId, identity),
      ...indexColumns(keys, identity),
    });
    await deleteResetsOf(trx, accountHash(keys, 'password-reset', userId));
    return true;
  }).catch((error) => {
    // Someone has signed up with the address since.
    if ((error as { constraint?: string }).constraint === 'users_email_unique') return false;
    throw error;
  });
  if (!changed) throw new AppError('invalid_email_link');
}

/** Stops a change by the link sent to the old address. Throws `invalid_email_link`. */
export async function stopEmailChange(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<void> {
  const change = await queries.takeByStopLink(db, tokenHash(keys, PURPOSE, token));
  const context = change && changeContext(change.account_key);
  if (!change || !context || !openInTime(keys, context, change.sealed, clock())) {
    throw new AppError('invalid_email_link');
  }
}

/** Gives up the change that waits, if one does. */
export function dropEmailChange(keys: Keys, db: Db, userId: string): Promise<void> {
  return queries.deleteEmailChange(db, accountHash(keys, PURPOSE, userId));
}
