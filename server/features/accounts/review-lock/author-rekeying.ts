import { type Author, lockedAuthor, openAuthor } from '#server/anonymity/author.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { handOverReviews } from '#server/features/reviews/service.ts';
import { rewriteSoon } from '#server/jobs/queue.ts';
import type { HeldAccount } from '../identity/account-queries.ts';
import { updateAccount } from '../identity/account-writes.ts';
import {
  type AuthorSalt,
  asCurrent,
  isSaltCurrent,
  newAuthorSalt,
  openAuthorSalt,
  opensAuthorSalt,
  sealAuthorSalt,
} from './author-salt.ts';

type RekeyDeps = Pick<Deps, 'keys' | 'jobs'>;

/**
 * Moves a locked account to a salt of the current authorship key if its salt has an older epoch,
 * because the key rotation could not reach it. Unlocked accounts keep their salt, which a recovery
 * code may still need, but also get the current epoch: the epoch must not reveal who has locked
 * reviews.
 */
export async function renewAuthorSalt(
  deps: RekeyDeps,
  trx: Db,
  account: HeldAccount,
  secret: Buffer | null,
): Promise<void> {
  const { keys } = deps;
  const { id, author_salt } = account;
  if (isSaltCurrent(keys, id, author_salt)) return;
  // The key is lost, and nothing is locked.
  if (secret === null && !opensAuthorSalt(keys, author_salt)) return;
  const older = openAuthorSalt(keys, id, author_salt);
  if (secret === null) await setSalt(keys, trx, id, asCurrent(keys, older));
  else await moveToNewSalt(deps, trx, account, secret, [lockedAuthor({ secret, ...older })]);
  await rewriteSoon(deps, trx);
}

/** Joins reviews written since the secret was lost with the locked ones, under a new salt. */
export async function restoreLock(deps: RekeyDeps, trx: Db, account: HeldAccount, secret: Buffer) {
  const { salt } = openAuthorSalt(deps.keys, account.id, account.author_salt);
  const [before, since] = [lockedAuthor({ secret, salt }), openAuthor(deps.keys, account.id)];
  await moveToNewSalt(deps, trx, account, secret, [before, since]);
  await rewriteSoon(deps, trx);
}

/** Moves the reviews of these authors to the secret and a new salt. */
export async function moveToNewSalt(
  { keys }: Pick<RekeyDeps, 'keys'>,
  trx: Db,
  { id }: HeldAccount,
  secret: Buffer,
  authors: readonly Author[],
): Promise<void> {
  const fresh = newAuthorSalt(keys);
  await setSalt(keys, trx, id, fresh);
  for (const from of authors) await handOverReviews(trx, from, lockedAuthor({ secret, ...fresh }));
}

const setSalt = (keys: Keys, trx: Db, id: string, salt: AuthorSalt) =>
  updateAccount(trx, id, { author_salt: sealAuthorSalt(keys, id, salt) });
