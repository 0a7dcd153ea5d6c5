import { Command } from 'commander';
import { deriveKeys, type Keys, type Secrets } from '#server/anonymity/keys.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { freshKey } from '#server/config/stored-secrets.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { accountIds, addAuthorSalts } from '#server/features/accounts/key-rotation/resealing.ts';
import { rotateAuthorKeys } from '#server/features/reviews/author-keys.ts';
import { rotateDeedKeys } from '#server/features/reviews/feedback/deed-keys.ts';
import { lists } from '#server/features/saved/saved-list.ts';
import { rekeyQuotas } from '#server/features/verification/mailbox/quota.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { progressOf } from './progress.ts';
import { withNewKey } from './rotation.ts';
import { say } from './terminal.ts';

/** `curbside authorship …`: the key from which author keys are derived. */
export function authorshipCommand(withDatabase: WithDatabase): Command {
  const authorship = new Command('authorship').description('The key that identifies authors.');
  authorship
    .command('rotate')
    .description(
      'Moves all reviews, votes, and reports to a new key, while the server runs. If you set the' +
        ' secrets yourself, first put a new key before the old one in AUTHORSHIP_KEY and restart the' +
        ' server; afterward, remove the old one and restart it again.',
    )
    .action(withDatabase(rotate));
  return authorship;
}

async function rotate(context: CommandContext): Promise<void> {
  const { config, db, database, clock, terminal } = context;
  if (!config.storesSecrets && config.secrets.authorship.length < 2) {
    throw new OperatorError(
      'AUTHORSHIP_KEY has one key: put a new one before it, restart the server, and run this again',
    );
  }
  const change = {
    setting: 'AUTHORSHIP_KEY' as const,
    add: (secrets: Secrets) => ({ ...secrets, authorship: [freshKey(), ...secrets.authorship] }),
    drop: async (secrets: Secrets) => ({ ...secrets, authorship: secrets.authorship.slice(0, 1) }),
  };
  await withNewKey(context, change, async (secrets) => {
    const keys = deriveKeys(secrets);
    let reviews = 0;
    let deeds = 0;
    // Repeats until nothing is left, because requests in progress may still write under the old
    // key.
    for (let changed = 1; changed > 0; ) {
      const userIds = await accountIds(db);
      const authors = await rotateAuthorKeys({ db, keys }, userIds);
      const done = await rekeyFeedback(context, keys, userIds);
      const { update, stop } = progressOf(terminal, 'accounts');
      const salts = await addAuthorSalts({ db, keys }, userIds, update).finally(stop);
      reviews += authors;
      deeds += done;
      const saved = await lists.reseal({ db, keys });
      const quotas = await rekeyQuotas({ db, keys });
      changed = authors + done + salts + saved + quotas;
    }
    // The order in which rows were changed must not reveal their authors.
    await rewriteTables(database.pool);
    await recordAct(db, clock, { actor: COMMAND, action: 'authorship.rotate', subject: 'reviews' });
    say(terminal, `${reviews} reviews, ${deeds} votes and reports are under the new key.`);
    say(terminal, 'Reviews of locked accounts follow when their owners next log in.');
  });
  if (!config.storesSecrets) say(terminal, 'Now remove the old key and restart the server.');
}

async function rekeyFeedback(
  { db, terminal }: CommandContext,
  keys: Keys,
  userIds: readonly string[],
): Promise<number> {
  let changed = 0;
  for (const deed of ['vote', 'report', 'reply-report'] as const) {
    const { update, stop } = progressOf(terminal, `reviews with ${deed}s`);
    changed += await rotateDeedKeys({ db, keys }, deed, userIds, update).finally(stop);
  }
  return changed;
}
