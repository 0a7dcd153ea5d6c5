import { COMMAND } from '#server/audit-log.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { findProfile, moderatorIds } from '#server/features/accounts/identity/profiles.ts';
import type { CommandContext } from './context.ts';

/**
 * The moderator who decides about a review by command: the one with this address, or the only one.
 * So an appeal never goes to the same moderator (docs/moderation.md). If there is no moderator, it
 * is the command itself.
 * @throws OperatorError if it is not clear which one
 */
export async function deciderOf(
  { keys, db }: Pick<CommandContext, 'keys' | 'db'>,
  email: string | undefined,
): Promise<string> {
  const moderators = await moderatorIds(db);
  if (email !== undefined) {
    const id = (await findProfile(keys, db, email))?.user.id;
    if (id !== undefined && moderators.includes(id)) return id;
    throw new OperatorError(`no moderator has the email address ${email}`);
  }
  if (moderators.length > 1) {
    throw new OperatorError('there are several moderators. Say who decides: --as EMAIL');
  }
  return moderators[0] ?? COMMAND;
}
