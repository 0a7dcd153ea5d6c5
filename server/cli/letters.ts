import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { printLetters } from '#server/features/verification/letters/printing.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say } from './terminal.ts';

/** `curbside letters …`: letters that verify doctors. */
export function lettersCommand(withDatabase: WithDatabase): Command {
  const letters = new Command('letters').description('Letters with codes that verify doctors.');
  letters
    .command('print')
    .description(
      'Writes all waiting letters to a new PDF file, one per page, and marks them as printed. Mail' +
        ' them the same day, then delete the file.',
    )
    .argument('<file>', 'the PDF file to create')
    .option(
      '--again <day>',
      'reprint the letters that were printed on this day (YYYY-MM-DD, UTC)',
      readDay,
    )
    .action(withDatabase(print));
  return letters;
}

async function print(context: CommandContext, file: string, options: { again?: string }) {
  const { again = null } = options;
  const count = await printLetters(context, file, again);
  if (count > 0) say(context.terminal, `${file} has ${count} letter${count === 1 ? '' : 's'}.`);
  else if (again === null) say(context.terminal, 'No letters are waiting.');
  else say(context.terminal, `No letter from ${again} can be printed again.`);
}

function readDay(text: string): string {
  const day = z.iso.date().safeParse(text);
  if (!day.success) throw new InvalidArgumentError('It must be a day, such as 2026-03-01.');
  return day.data;
}
