import { Command } from 'commander';
import { restoreBackup } from '#server/backup/restore.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { sizeOf } from './backup.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say } from './terminal.ts';

interface Options {
  identity: string;
  /** False: restore without one. */
  inventory?: string | false;
  otherKeys?: true;
  acceptDeletions?: true;
}

/** `curbside restore`: fills an empty database from a backup. */
export function restoreCommand(withDatabase: WithDatabase): Command {
  return new Command('restore')
    .description(
      'Restores a backup into an empty database, deletes what the inventory says was deleted since,' +
        ' and migrates it.',
    )
    .argument('<file>', 'the backup')
    .requiredOption('--identity <file>', 'the file with the identity of its recipient')
    .option('--inventory <file>', 'the last inventory: whatever was deleted since stays deleted')
    .option('--no-inventory', 'restore without one: what people deleted since comes back')
    .option('--accept-deletions', 'even if the inventory deletes more than 5 % of the backup')
    .option('--other-keys', 'keys of the backup are lost: what they sealed stays sealed')
    .action(withDatabase(restore, { migrates: false }));
}

async function restore(context: CommandContext, file: string, options: Options): Promise<void> {
  const { config, database, keys, clock, terminal, signal } = context;
  const { identity, inventory, otherKeys = false, acceptDeletions = false } = options;
  // Commander's default for an option with a --no- form is true.
  if (typeof inventory !== 'string' && inventory !== false) {
    throw new OperatorError(
      'add --inventory FILE, so that deleted data stays deleted (or --no-inventory)',
    );
  }
  const { takenAt, rows, deleted } = await restoreBackup(database.pool, {
    file,
    identityFile: identity,
    inventory: inventory === false ? null : inventory,
    keys,
    secrets: config.secrets,
    allowsOtherKeys: otherKeys,
    acceptsDeletions: acceptDeletions,
    clock,
    signal,
  });
  say(terminal, sizeOf(file, rows));
  say(
    terminal,
    `Restored the state of ${takenAt}: ${rows['users']} accounts, ${rows['reviews']} reviews.`,
  );
  say(
    terminal,
    deleted
      ? `Deleted again: ${deleted.accounts} accounts, ${deleted.reviews} reviews. The inventory is from ${deleted.inventoryTakenAt}.`
      : 'What people deleted since the backup is back: delete it again.',
  );
  say(terminal, 'Everyone has to sign in again.');
}
