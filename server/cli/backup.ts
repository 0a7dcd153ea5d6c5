import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { newIdentity } from '#server/backup/encryption.ts';
import { writeWholeFile } from '#server/backup/whole-file.ts';
import { writeBackup, writeInventory } from '#server/backup/write.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say, type Terminal } from './terminal.ts';

interface Target {
  recipient?: string;
}

const RECIPIENT = ['--recipient <age1…>', 'who can read it, instead of BACKUP_RECIPIENT'] as const;

/** `curbside backup`: writes everything into one encrypted file. */
export function backupCommand(withDatabase: WithDatabase): Command {
  return new Command('backup')
    .description('Writes everything into one encrypted file, while the server runs.')
    .argument('<file>', 'the file to write; an existing one is replaced')
    .option(...RECIPIENT)
    .action(withDatabase(backUp));
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
    .action(withDatabase(takeInventory));
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

async function backUp(context: CommandContext, file: string, target: Target): Promise<void> {
  const { config, clock, terminal } = context;
  const counts = await writeBackup(context.database.pool, optionsOf(context, file, target));
  const finished = `${JSON.stringify({ finished_at: clock().toISOString() })}\n`;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  await writeWholeFile(path.join(config.dataDir, 'last-backup.json'), [Buffer.from(finished)]);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  say(terminal, `${file} has ${rows} rows from ${Object.keys(counts).length} tables.`);
  say(terminal, 'It contains no keys. A restore needs these, so store them elsewhere:');
  const where = config.storesSecrets ? ` (${path.join(config.dataDir, 'secrets.json')})` : '';
  say(terminal, `  SEALING_KEYS, INDEX_KEY, AUTHORSHIP_KEY, SESSION_KEY${where}`);
  say(terminal, "  the recipient's identity (curbside backup-key)");
}

async function takeInventory(context: CommandContext, file: string, target: Target): Promise<void> {
  const counts = await writeInventory(context.database.pool, optionsOf(context, file, target));
  say(
    context.terminal,
    `${file} lists ${counts['users']} accounts and ${counts['reviews']} reviews.`,
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
