import { Command } from 'commander';
import {
  CORRECTION_DECISIONS,
  type Correction,
  type CorrectionDecision,
  CorrectionDecisionRequest,
} from '#contract/employer-corrections.ts';
import { EmployerCurationRequest, EmployerUnmergeRequest } from '#contract/employer-curation.ts';
import { EmployerId } from '#contract/employers.ts';
import { ERRORS } from '#contract/errors.ts';
import { titleCase } from '#contract/names.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import {
  decideCorrection,
  waitingCorrections,
} from '#server/features/employers/correction/corrections.ts';
import { acceptEmployer, curateEmployer } from '#server/features/employers/curation/curation.ts';
import { mergeEmployers, unmergeEmployer } from '#server/features/employers/curation/merges.ts';
import { listSubmitted } from '#server/features/employers/curation/submitted-employers.ts';
import { importHospitals } from '#server/features/employers/import/import.ts';
import { OperatorError } from '#server/operator-error.ts';
import { explainFor, parse, readText } from './arguments.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { progressOf } from './progress.ts';
import { say, warn } from './terminal.ts';

const explain = explainFor('employer');

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
    .command('accept <id>')
    .description('Keeps an employer that a doctor added, and closes its case.')
    .action(withDatabase(accept));
  employers
    .command('merge')
    .description("Merges two employers: the first one's reviews and links go to the second.")
    .argument('<from>', 'the id of the employer to remove')
    .argument('<into>', 'the id of the employer to keep')
    .action(withDatabase(merge));
  employers
    .command('unmerge')
    .description('Undoes a merge of the last 30 days: the employer and its reviews come back.')
    .argument('<from>', 'the id of the employer that was merged')
    .argument('<reason>', 'for the audit log')
    .action(withDatabase(unmerge));
  for (const decision of CORRECTION_DECISIONS) {
    employers
      .command(`${decision}-correction <id> <field> <value>`)
      .description(CORRECTIONS[decision])
      .requiredOption('--reason <text>', 'the reason, for the audit log', readText)
      .action((id: string, field: string, value: string, { reason }: { reason: string }) =>
        withDatabase(decideFact)(decision, id, { field, value, reason }),
      );
  }
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

/** How much of a value is shown, in characters. */
const VALUE_SHOWN = 60;

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
  const { added, changed, unchanged, skipped, odd } = summary;
  for (const { column, outcome, count, text, line } of odd) {
    const first = `'${text.slice(0, VALUE_SHOWN)}' on line ${line}`;
    warn(terminal, `${column}: ${count} ${outcome}, the first is ${first}`);
  }
  if (added + changed > 0) {
    const act = { actor: COMMAND, action: 'employers.import', subject: 'hifld' } as const;
    await recordAct(db, clock, { ...act, details: { added, changed } });
  }
  say(terminal, `${added} added, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped`);
  if (signal.aborted) throw new OperatorError('stopped: run it again to import the rest');
  if (skipped > 0) throw new OperatorError('correct the skipped rows, and run it again');
}

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

const CORRECTIONS: Record<CorrectionDecision, string> = {
  accept: 'Changes a fact as a member proposed.',
  refuse: 'Rejects a proposed change of a fact.',
};

async function decideFact(
  context: CommandContext,
  decision: CorrectionDecision,
  id: string,
  { field, value, reason }: { field: string; value: string; reason: string },
) {
  const employerId = readId(id);
  const { employer, corrections } = await waitingCorrections(context.db, employerId).catch(explain);
  const found = corrections.find((one) => one.field === field);
  if (!found) throw new OperatorError(`no correction of ${field} is waiting`);
  if (shownFact(found.value) !== value) throw new OperatorError(ERRORS.changed_meanwhile.text);
  const request = parse(CorrectionDecisionRequest, {
    field,
    value: found.value,
    today: employer[found.field],
    reason,
  });
  const { name } = await decideCorrection(context, COMMAND, employerId, decision, request).catch(
    explain,
  );
  const outcome = decision === 'accept' ? 'changed' : 'stays';
  say(context.terminal, `${id} ${name}: ${field} ${outcome}`);
}

/** The value of a fact, as commands show and accept it. */
export const shownFact = (value: Correction['value']): string => String(value ?? '(none)');

async function accept(context: CommandContext, id: string) {
  const { name } = await acceptEmployer(context, COMMAND, readId(id)).catch(explain);
  say(context.terminal, `${id} ${name} stays.`);
}

async function merge(context: CommandContext, from: string, into: string) {
  const request = { into: readId(into) };
  const merged = await mergeEmployers(context, COMMAND, readId(from), request).catch(explain);
  const { employer, moved_reviews } = merged;
  say(context.terminal, `${employer.id} ${employer.name}: ${moved_reviews} reviews moved`);
}

async function unmerge(context: CommandContext, from: string, reason: string) {
  const request = parse(EmployerUnmergeRequest, { reason });
  const undone = await unmergeEmployer(context, COMMAND, readId(from), request).catch(explain);
  const { employer, returned_reviews } = undone;
  say(context.terminal, `${employer.id} ${employer.name}: ${returned_reviews} reviews returned`);
}

async function applyChange(context: CommandContext, id: string, change: Record<string, string>) {
  const request = parse(EmployerCurationRequest, change);
  const employer = await curateEmployer(context, COMMAND, readId(id), request).catch(explain);
  const status = employer.hospital_status ? `, ${employer.hospital_status.toLowerCase()}` : '';
  say(context.terminal, `${employer.id} ${employer.name}: ${employer.employer_type}${status}`);
}

function readId(text: string): number {
  const id = EmployerId.safeParse(text);
  if (!id.success) throw new OperatorError(`${text} is not the id of an employer`);
  return id.data;
}
