import { type Author, lockedAuthor, openAuthor } from '#server/anonymity/author.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import {
  firstSalt,
  openAuthorSalts,
  opensAuthorSalts,
  sealAuthorSalts,
  withNewSalt,
} from '#server/features/accounts/credentials/author-secret.ts';
import { rewriteSoon } from '#server/jobs/queue.ts';
import type { HeldAccount } from './account-queries.ts';
import { updateAccount } from './account-writes.ts';

type RekeyDeps = Pick<Deps, 'keys' | 'jobs' | 'handOver'>;

/** Whether a rotation of the authorship key has given the account another salt. */
export const mayHaveOlderSalts = (
  keys: Keys,
  { id, author_salt }: Pick<HeldAccount, 'id' | 'author_salt'>,
): boolean =>
  !opensAuthorSalts(keys, author_salt) || openAuthorSalts(keys, id, author_salt).salts.length > 1;

/**
 * Moves a locked account's reviews to its current salt, because a rotation of the authorship key
 * cannot find them. Writes nothing else, since that could tie the account to them. Votes and reports
 * stay under older salts: each has a key of its own.
 */
export async function moveToCurrentSalt(
  deps: RekeyDeps,
  trx: Db,
  { id, author_salt }: HeldAccount,
  secret: Buffer,
): Promise<void> {
  const { salts } = openAuthorSalts(deps.keys, id, author_salt);
  const [current, next, ...others] = salts;
  if (!next) return;
  const from = lockedAuthor({ secret, salts: [next, ...others] });
  const moved = await deps.handOver.reviews(trx, from, lockedAuthor({ secret, salts: [current] }));
  if (moved > 0) await rewriteSoon(deps, trx);
}

/** Joins reviews written since the secret was lost with the locked ones, under a new salt. */
export async function restoreLock(deps: RekeyDeps, trx: Db, account: HeldAccount, secret: Buffer) {
  const { salts } = openAuthorSalts(deps.keys, account.id, account.author_salt);
  const [before, since] = [lockedAuthor({ secret, salts }), openAuthor(deps.keys, account.id)];
  await moveToNewSalt(deps, trx, account, secret, [before, since]);
  await rewriteSoon(deps, trx);
}

/** Moves the reviews, votes, and reports of these authors to the secret and a new salt. */
export async function moveToNewSalt(
  { keys, handOver }: Pick<RekeyDeps, 'keys' | 'handOver'>,
  trx: Db,
  { id, author_salt }: HeldAccount,
  secret: Buffer,
  authors: readonly Author[],
): Promise<void> {
  // If the key of the salts is lost, so is what was locked under them.
  const next = opensAuthorSalts(keys, author_salt)
    ? withNewSalt(keys, openAuthorSalts(keys, id, author_salt))
    : firstSalt(keys);
  await updateAccount(trx, id, { author_salt: sealAuthorSalts(keys, id, next) });
  const to = lockedAuthor({ secret, salts: [next.salts[0]] });
  for (const from of authors) await handOver.everything(trx, from, to);
}
