import { Command } from 'commander';
import { EmployerCurationRequest } from '#contract/employer-curation.ts';
import { EmployerId } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import { AppError } from '#server/app-error.ts';
import { recordAct } from '#server/audit-log.ts';
import {
  curateEmployer,
  listSubmitted,
  mergeEmployers,
} from '#server/features/employers/curation.ts';
import { importHospitals } from '#server/features/employers/import.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { progressOf } from './progress.ts';
import { say } from './terminal.ts';

/** `curbside employers …` */
export function employersCommand(withDatabase: WithDatabase): Command {
  const curate = withDatabase(applyChange);
  const employers = new Command('employers').description('Employers that reviews are about.');
  employers
    .command('import')
    .description('Imports the HIFLD Hospitals file (CSV). Running it again changes nothing.')
    .argument('<file>', 'the file as downloaded: UTF-8, with its header line')
    .action(withDatabase(importFile));
  employers
    .command('submitted')
    .description('Lists the employers that doctors added, newest first, with possible duplicates.')
    .action(withDatabase(showSubmitted));
  employers
    .command('merge')
    .description("Merges two employers: the first one's reviews and links go to the second.")
    .argument('<from>', 'the id of the employer to remove')
    .argument('<into>', 'the id of the employer to keep')
    .action(withDatabase(merge));
  employers
    .command('rename <id> <name>')
    .description('Renames an employer. Imports keep the new name.')
    .action((id: string, name: string) => curate(id, { name }));
  employers
    .command('retype <id> <type>')
    .description(
      "Changes an employer's type to hospital, residency, fellowship, clinic, or another one.",
    )
    .action((id: string, employer_type: string) => curate(id, { employer_type }));
  employers
    .command('close <id>')
    .description('Marks an employer as closed. Its reviews stay.')
    .action((id: string) => curate(id, { hospital_status: 'Closed' }));
  return employers;
}

async function importFile({ db, clock, terminal, signal }: CommandContext, file: string) {
  const progress = progressOf(terminal, 'lines');
  let lines = 0;
  const summary = await importHospitals(db, file, {
    onStart: (total) => {
      lines = total;
    },
    onProgress: (line) => progress.update(Math.min(line - 1, lines), lines),
    onSkip: (line, reason) => progress.note(`line ${line} skipped: ${reason}`),
    signal,
  }).finally(() => progress.stop());
  const { added, changed, unchanged, skipped } = summary;
  if (added + changed > 0) {
    const act = { actor: 'cli', action: 'employers.import', subject: 'hifld' };
    await recordAct(db, clock, { ...act, details: { added, changed } });
  }
  say(terminal, `${added} added, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped`);
  if (signal.aborted) throw new OperatorError('stopped: run it again to import the rest');
}

const ACTOR = 'cli';
const SUBMITTED_SHOWN = 100;

async function showSubmitted({ db, terminal }: CommandContext) {
  const { results, count } = await listSubmitted(db, { page: 1, page_size: SUBMITTED_SHOWN });
  for (const { employer, candidates } of results) {
    say(terminal, `${employer.id}  ${employer.name} (${employer.total_reviews} reviews)`);
    for (const { id, name, city, state } of candidates) {
      say(terminal, `    like ${id}  ${titleCase(name)}, ${city ?? '?'} ${state ?? '?'}`);
    }
  }
  if (count === 0) say(terminal, 'No employer has been added by a doctor.');
  if (count > results.length) say(terminal, `and ${count - results.length} more`);
}

async function merge(context: CommandContext, from: string, into: string) {
  const ids = [readId(from), readId(into)] as const;
  const merged = await mergeEmployers(context, ACTOR, ...ids).catch(explain);
  const { employer, moved_reviews } = merged;
  say(context.terminal, `${employer.id} ${employer.name}: ${moved_reviews} reviews moved`);
}

async function applyChange(context: CommandContext, id: string, change: Record<string, string>) {
  const request = EmployerCurationRequest.safeParse(change);
  if (!request.success) throw new OperatorError(request.error.issues[0]?.message ?? 'not possible');
  const employer = await curateEmployer(context, ACTOR, readId(id), request.data).catch(explain);
  const status = employer.hospital_status ? `, ${employer.hospital_status.toLowerCase()}` : '';
  say(context.terminal, `${employer.id} ${employer.name}: ${employer.employer_type}${status}`);
}

function readId(text: string): number {
  const id = EmployerId.safeParse(text);
  if (!id.success) throw new OperatorError(`${text} is not the id of an employer`);
  return id.data;
}

/** Rethrows an error of the API as one line for the terminal. */
function explain(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new OperatorError(error.code === 'not_found' ? 'there is no such employer' : error.message);
}
