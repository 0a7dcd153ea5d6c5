import { UNSUBSCRIBE_PATH } from '#contract/page-queries.ts';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { seal, unsealOrNull } from '#server/anonymity/seal.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { changeList } from './saved.ts';

const CONTEXT = 'unsubscribe';
/** Fits an account id. */
const BLOCK_BYTES = 64;

/** The session key is never rotated, so links in old mail stay valid. */
const keyOf = (keys: Keys): SealingKey => ({ id: 'u', key: keys.sessionKey('unsubscribe') });

/** The link that stops an account's weekly mail. Its token is the account's id, sealed. */
export function unsubscribeUrl(
  { keys, config }: Pick<Deps, 'keys' | 'config'>,
  userId: string,
): string {
  const token = seal(keyOf(keys), CONTEXT, userId, { blockBytes: BLOCK_BYTES });
  return `${config.publicUrl}${UNSUBSCRIBE_PATH}?token=${token.toString('base64url')}`;
}

/**
 * Stops the weekly mail. The response does not reveal whether it had been stopped before, or the
 * account deleted. Throws `invalid_email_link`.
 */
export async function unsubscribe(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  token: string,
): Promise<void> {
  const userId = unsealOrNull<string>([keyOf(keys)], CONTEXT, Buffer.from(token, 'base64url'));
  if (userId === null) throw new AppError('invalid_email_link');
  await inTransaction(db, (trx) =>
    changeList({ keys }, trx, userId, (list) => ({ ...list, weekly_mail: false })),
  );
}
