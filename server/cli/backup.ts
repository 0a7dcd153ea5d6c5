import path from 'node:path';
import { Command } from 'commander';
import { newIdentity } from '#server/backup/archive.ts';
import { isLargeLoss } from '#server/backup/inventory.ts';
import { restoreBackup } from '#server/backup/restore.ts';
import { type Written, writeBackup, writeInventory } from '#server/backup/write.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { type LastInventory, readLast, recordLast } from '#server/files/last-backup.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say, type Terminal } from './terminal.ts';

interface Target {
  recipient?: string;
}

interface InventoryTarget extends Target {
  replace?: true;
}

const RECIPIENT = ['--recipient <age1…>', 'who can read it, instead of BACKUP_RECIPIENT'] as const;

/** `curbside backup`: writes everything into one encrypted file. */
export function backupCommand(withDatabase: WithDatabase): Command {
  return new Command('backup')
    .description('Writes everything into one encrypted file, while the server runs.')
    .argument('<file>', 'the file to write; an existing one is replaced')
    .option(...RECIPIENT)
    .action(withDatabase(backUp, { migrates: false }));
}

/**
 * `curbside inventory`: writes what exists, so that a restore deletes what was deleted since the
 * backup.
 */
export function inventoryCommand(withDatabase: WithDatabase): Command {
  return new Command('inventory')
    .description(
      'Writes the ids of what exists into one encrypted file. A restore uses the last one to delete' +
        ' what was deleted since the backup.',
    )
    .argument('<file>', 'the file to write; an existing one is replaced')
    .option(...RECIPIENT)
    .option('--replace', 'even if the last one is from another database, or lists far more')
    .action(withDatabase(takeInventory, { migrates: false }));
}

/** `curbside backup-key`: creates the key pair for backups. */
export function backupKeyCommand(_withDatabase: WithDatabase, terminal: Terminal): Command {
  return new Command('backup-key')
    .description(
      'Prints a new key pair for backups. Store it apart from the server and the backups.',
    )
    .action(async () => {
      const { identity, recipient } = await newIdentity();
      say(
        terminal,
        '# The identity reads backups. Store it apart from the server and the backups.',
      );
      say(terminal, '# The recipient only writes them: set it as BACKUP_RECIPIENT.');
      say(terminal, `# recipient: ${recipient}`);
      say(terminal, identity);
    });
}

/** The line by which a restore drill compares what was written with what was read. */
function sizeOf(file: string, counts: Readonly<Record<string, number>>): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${file} has ${rows} rows from ${Object.keys(counts).length} tables.`;
}

async function backUp(context: CommandContext, file: string, target: Target): Promise<void> {
  const { config, clock, terminal } = context;
  const { counts } = await writeBackup(context.database.pool, optionsOf(context, file, target));
  await recordLast(config.dataDir, 'backup', { finished_at: clock().toISOString() });
  say(terminal, sizeOf(file, counts));
  say(terminal, 'It contains no keys. A restore needs these, so store them elsewhere:');
  const where = config.storesSecrets ? ` (${path.join(config.dataDir, 'secrets.json')})` : '';
  say(terminal, `  SEALING_KEYS, INDEX_KEY, AUTHORSHIP_KEY, SESSION_KEY${where}`);
  say(terminal, "  the recipient's identity (curbside backup-key)");
}

async function takeInventory(
  context: CommandContext,
  file: string,
  target: InventoryTarget,
): Promise<void> {
  const { config, clock, terminal, database } = context;
  const last = target.replace ? null : await readLast(config.dataDir, 'inventory');
  const written = await writeInventory(database.pool, {
    ...optionsOf(context, file, target),
    approve: (next) => {
      if (!target.replace) requireSuccessor(last, contentsOf(next));
    },
  });
  const contents = contentsOf(written);
  await recordLast(config.dataDir, 'inventory', {
    finished_at: clock().toISOString(),
    ...contents,
  });
  say(terminal, `${file} lists ${contents.accounts} accounts and ${contents.reviews} reviews.`);
}

type Contents = Omit<LastInventory, 'finished_at'>;

const contentsOf = ({ lineage, counts }: Written): Contents => ({
  lineage,
  accounts: counts['users'] ?? 0,
  reviews: counts['reviews'] ?? 0,
});

/** On a small site, a few deletions are a large share. */
const FEW = 10;

/** After an accident, the last inventory is the only list of what must not be deleted. */
function requireSuccessor(last: LastInventory | null, next: Contents) {
  const keep = (why: string) =>
    new OperatorError(`${why}: the last inventory is kept (--replace replaces it)`);
  if (next.accounts === 0) throw keep('the database has no accounts');
  if (!last) return;
  if (last.lineage !== next.lineage) throw keep('the last inventory is from another database');
  const isLost = (what: 'accounts' | 'reviews') =>
    last[what] - next[what] > FEW && isLargeLoss(last[what], next[what]);
  if (!isLost('accounts') && !isLost('reviews')) return;
  throw keep(
    `of ${last.accounts} accounts and ${last.reviews} reviews on ${last.finished_at},` +
      ` only ${next.accounts} and ${next.reviews} are left`,
  );
}

function optionsOf(context: CommandContext, file: string, { recipient }: Target) {
  const { config, keys, signal } = context;
  const to = recipient ?? config.backupRecipient;
  if (to === null) {
    throw new OperatorError(
      'set BACKUP_RECIPIENT or --recipient to the recipient that curbside backup-key printed',
    );
  }
  return { file, recipient: to, keys, secrets: config.secrets, signal };
}

interface RestoreOptions {
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
    .action(withDatabase(restoreFrom, { migrates: false }));
}

async function restoreFrom(
  context: CommandContext,
  file: string,
  options: RestoreOptions,
): Promise<void> {
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
