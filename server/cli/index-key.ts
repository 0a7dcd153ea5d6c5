import { Command } from 'commander';
import { deriveKeys, type Keys, type Secrets } from '#server/anonymity/keys.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { freshKey } from '#server/config/stored-secrets.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { reindexAccounts } from '#server/features/accounts/key-rotation/reindexing.ts';
import { accountIds } from '#server/features/accounts/key-rotation/resealing.ts';
import { rekeyTombstones } from '#server/features/verification/tombstones.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { progressOf } from './progress.ts';
import { withNewKey } from './rotation.ts';
import { say } from './terminal.ts';

/** `curbside index …`: the key that finds accounts. */
export function indexCommand(withDatabase: WithDatabase): Command {
  const index = new Command('index').description('The key that finds accounts by email and NPI.');
  index
    .command('rotate')
    .description(
      'Moves the indexes that find accounts to a new key, while the server runs. If you set the' +
        ' secrets yourself, first put a new key after the old one in INDEX_KEY and restart every server;' +
        ' then put it before the old one and restart every server; then run this. Afterward, remove' +
        ' the old one.',
    )
    .action(withDatabase(rotate));
  return index;
}

async function rotate(context: CommandContext): Promise<void> {
  const { config, db, clock, terminal } = context;
  const change = {
    setting: 'INDEX_KEY' as const,
    // The new key is added last, so that all servers know it before one of them writes with it.
    announce: (secrets: Secrets) => ({ ...secrets, index: [...secrets.index, freshKey()] }),
    add: (secrets: Secrets) => ({
      ...secrets,
      index: [...secrets.index.slice(-1), ...secrets.index.slice(0, -1)],
    }),
    drop: async (secrets: Secrets) => ({ ...secrets, index: secrets.index.slice(0, 1) }),
  };
  await withNewKey(context, change, async (secrets) => {
    const changed = await reindex(context, deriveKeys(secrets));
    // With only one key, rows under another key cannot be found: see docs/operations.md.
    if (secrets.index.length === 1 && changed === 0) {
      throw new OperatorError(
        'INDEX_KEY has one key: put a new one after it, restart every server, put it before the' +
          ' old one, restart again, and run this again',
      );
    }
    await recordAct(db, clock, { actor: COMMAND, action: 'index.rotate', subject: 'accounts' });
    say(terminal, `All accounts are found with the new key: ${changed} were changed.`);
  });
  if (!config.storesSecrets && config.secrets.index.length > 1) {
    say(terminal, 'Now remove the old key and restart every server.');
  }
}

async function reindex({ db, database, terminal, signal }: CommandContext, keys: Keys) {
  let changed = 0;
  for (;;) {
    const { update, stop } = progressOf(terminal, 'accounts');
    const userIds = await accountIds(db);
    const round = await reindexAccounts({ db, keys }, userIds, signal, update).finally(stop);
    if (signal.aborted) throw new OperatorError('stopped: run it again to finish');
    changed += round.changed;
    await rekeyTombstones({ db, keys });
    // Repeats until none is left, because requests in progress may still write under the old key.
    if (round.outdated === 0) return changed;
    // The order in which rows were changed must not reveal anything. This waits for those requests.
    await rewriteTables(database.pool);
  }
}
