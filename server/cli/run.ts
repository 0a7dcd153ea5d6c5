import { Command, CommanderError } from 'commander';
import { takeSettings } from '#server/config.ts';
import { describeError } from '#server/describe-error.ts';
import { printableLines } from '#server/printable.ts';
import { adminCommand } from './admin.ts';
import { authorshipCommand } from './authorship.ts';
import { backupCommand, backupKeyCommand, inventoryCommand } from './backup.ts';
import { casesCommand } from './cases.ts';
import { checkCommand } from './check/check.ts';
import type { OnDatabase, WithDatabase } from './context.ts';
import { doctorsCommand } from './doctors.ts';
import { domainsCommand } from './domains.ts';
import { employersCommand } from './employers.ts';
import { indexCommand } from './index-key.ts';
import { keysCommand } from './keys.ts';
import { legalCommand } from './legal.ts';
import { lettersCommand } from './letters.ts';
import { logCommand } from './log.ts';
import { registryCommand } from './registry.ts';
import { representativesCommand } from './representatives.ts';
import { restoreCommand } from './restore.ts';
import { reviewsCommand } from './reviews.ts';
import type { Terminal } from './terminal.ts';

/** Each function creates a command with its subcommands, in its own file. */
const COMMANDS = [
  casesCommand,
  reviewsCommand,
  employersCommand,
  doctorsCommand,
  lettersCommand,
  legalCommand,
  domainsCommand,
  adminCommand,
  logCommand,
  authorshipCommand,
  keysCommand,
  indexCommand,
  registryCommand,
  representativesCommand,
  backupCommand,
  backupKeyCommand,
  inventoryCommand,
  restoreCommand,
];

/** Runs the command for these arguments. Prints errors, and returns the exit code. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  onDatabase: OnDatabase,
  settings: () => NodeJS.ProcessEnv = takeSettings,
): Promise<0 | 1> {
  const withDatabase: WithDatabase =
    (work, needs) =>
    (...args) =>
      onDatabase((context) => work(context, ...args), needs);
  const program = new Command('curbside').description('Runs Curbside from the terminal.');
  for (const make of COMMANDS) program.addCommand(make(withDatabase, terminal));
  program.addCommand(checkCommand(terminal, settings));
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.output.write(printableLines(text)),
      writeErr: (text) => terminal.errors.write(printableLines(text)),
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its own errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    terminal.errors.write(`${describeError(error)}\n`);
    return 1;
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
