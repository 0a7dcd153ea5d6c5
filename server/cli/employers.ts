import { Command } from 'commander';
import { recordAct } from '#server/audit-log.ts';
import { importHospitals } from '#server/features/employers/import.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { addCuration } from './curation.ts';
import { progressOf } from './progress.ts';
import { say } from './terminal.ts';

/** `curbside employers …` */
export function employersCommand(withDatabase: WithDatabase): Command {
  const employers = new Command('employers').description('Employers that reviews are about.');
  employers
    .command('import')
    .description('Imports the HIFLD Hospitals file (CSV). Running it again changes nothing.')
    .argument('<file>', 'the file as downloaded: UTF-8, with its header line')
    .action((file: string) => withDatabase((context) => importFile(context, file)));
  addCuration(employers, withDatabase);
  return employers;
}

async function importFile({ db, clock, terminal, signal }: CommandContext, file: string) {
  const progress = progressOf(terminal, 'lines');
  let lines = 0;
  const summary = await importHospitals(db, file, {
    onStart(total) {
      lines = total;
      progress.start(total);
    },
    onProgress: (line) => progress.update(Math.min(line - 1, lines)),
    onSkip: (line, reason) => progress.note(`line ${line} skipped: ${reason}`),
    signal,
  }).finally(() => progress.stop());
  const { added, changed, unchanged, skipped } = summary;
  if (added + changed > 0) {
    const details = { added, changed };
    await recordAct(db, clock, {
      actor: 'cli',
      action: 'employers.import',
      subject: 'hifld',
      details,
    });
  }
  say(terminal, `${added} added, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped`);
  if (signal.aborted) throw new OperatorError('stopped: run it again to import the rest');
}
