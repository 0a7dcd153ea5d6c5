import { Command, CommanderError } from 'commander';
import { takeSettings } from '#server/config/config.ts';
import { describeError } from '#server/describe-error.ts';
import { printableLines } from '#server/errors/operator-error.ts';
import type { OnDatabase, WithDatabase } from './context.ts';
import type { Terminal } from './terminal.ts';

type MakeCommand = (
  withDatabase: WithDatabase,
  terminal: Terminal,
  settings: () => NodeJS.ProcessEnv,
) => Command;

/** Each loads the function that creates a command with its subcommands, and the code behind them. */
const COMMANDS = new Map<string, () => Promise<MakeCommand>>([
  ['employers', async () => (await import('./employers.ts')).employersCommand],
  ['doctors', async () => (await import('./doctors.ts')).doctorsCommand],
  ['letters', async () => (await import('./letters.ts')).lettersCommand],
  ['domains', async () => (await import('./domains.ts')).domainsCommand],
  ['admin', async () => (await import('./admin.ts')).adminCommand],
  ['authorship', async () => (await import('./keys.ts')).authorshipCommand],
  ['keys', async () => (await import('./keys.ts')).keysCommand],
  ['index', async () => (await import('./keys.ts')).indexCommand],
  ['registry', async () => (await import('./registry.ts')).registryCommand],
  ['representatives', async () => (await import('./representatives.ts')).representativesCommand],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['backup-key', async () => (await import('./backup.ts')).backupKeyCommand],
  ['inventory', async () => (await import('./backup.ts')).inventoryCommand],
  ['restore', async () => (await import('./backup.ts')).restoreCommand],
  ['check', async () => (await import('./check/check.ts')).checkCommand],
]);

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
  const named = COMMANDS.get(args[0] ?? '');
  // Loading all takes a second: only help, and a name with a typo, need them.
  for (const load of named ? [named] : COMMANDS.values()) {
    const make = await load();
    program.addCommand(make(withDatabase, terminal, settings));
  }
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
