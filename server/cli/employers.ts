import path from 'node:path';
import { Command } from 'commander';
import { EMPLOYER_SOURCES } from '#contract/employers/employer-sources.ts';
import { EmployerId, EmployerName } from '#contract/employers/employers.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { addAlias } from '#server/features/employers/curation/curation.ts';
import {
  CHANGE_KINDS,
  type ImportSummary,
  importEmployers,
} from '#server/features/employers/import/import.ts';
import { isDay } from '#server/features/employers/import/import-values.ts';
import { undoImport } from '#server/features/employers/import/undo.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { explainFor, parse, progressOf, say, warn } from './terminal.ts';

const explain = explainFor('employer');

/** `curbside employers …` */
export function employersCommand(withDatabase: WithDatabase): Command {
  const employers = new Command('employers').description('Employers that reviews are about.');
  employers
    .command('import')
    .description(`Imports a file as downloaded: ${Object.values(EMPLOYER_SOURCES).join(', ')}.`)
    .argument('[file]', 'CSV with its header line')
    .option(
      '--date <day>',
      "the file's date; by default the one in its name, or the newest in its rows, or of its last change",
    )
    .option('--dry-run', 'prints what would change, and changes nothing')
    .option('--json', 'prints the result as JSON')
    .option('--force', 'imports a file that differs more from the last one than files usually do')
    .option('--undo <run>', 'undoes the newest import of a source, by its number')
    .action(withDatabase(importOrUndo));
  employers
    .command('alias <id> <name>')
    .description('Adds a name that searches find an employer by, such as MGH.')
    .action(withDatabase(alias));
  return employers;
}

/** How much of a value is shown, in characters. */
const VALUE_SHOWN = 60;

interface ImportFlags {
  date?: string;
  dryRun?: boolean;
  json?: boolean;
  force?: boolean;
  undo?: string;
}

async function importOrUndo(context: CommandContext, file: string | undefined, flags: ImportFlags) {
  if (flags.undo !== undefined && file === undefined) return undo(context, flags.undo);
  if (file === undefined || flags.undo !== undefined) {
    throw new OperatorError('name either a file, or with --undo the number of an import');
  }
  return importFile(context, file, flags);
}

async function importFile(
  { db, clock, terminal, signal }: CommandContext,
  file: string,
  { date, dryRun = false, json = false, force = false }: ImportFlags,
) {
  const progress = progressOf(terminal, 'lines');
  let lines = 0;
  const asOf = date ?? dayInName(file);
  if (asOf !== null && !isDay(asOf))
    throw new OperatorError(`${asOf} is not a day, such as 2026-02-28`);
  const summary = await importEmployers(db, file, {
    ...{ asOf, clock, isDryRun: dryRun, isForced: force, signal },
    onStart: (total) => {
      lines = total;
    },
    onProgress: (line) => progress(Math.min(line - 1, lines), lines),
    onSkip: (line, reason) => warn(terminal, `line ${line} skipped: ${reason}`),
  });
  const { run, source, added, changed, skipped } = summary;
  for (const { column, outcome, count, text, line } of summary.odd) {
    const first = `'${text.slice(0, VALUE_SHOWN)}' on line ${line}`;
    warn(terminal, `${column}: ${count} ${outcome}, the first is ${first}`);
  }
  if (run !== null && !dryRun) {
    const act = { actor: COMMAND, action: 'employers.import', subject: source } as const;
    await recordAct(db, clock, { ...act, details: { run, added, changed } });
  }
  if (json) say(terminal, JSON.stringify({ ...summary, dry_run: dryRun }));
  else printSummary(terminal, summary, dryRun);
  if (skipped > 0) throw new OperatorError('correct the skipped rows, and run it again');
}

const CHANGE_LABELS: Record<(typeof CHANGE_KINDS)[number], string> = {
  renamed: 'renamed',
  moved: 'with another address',
  owner: 'with another owner',
  kind: 'of another kind',
  gone: 'no longer in the file',
  back: 'in the file again',
  doubt: 'in doubt, as cases in the office: perhaps the same as',
};

/** The counts. What they consist of is printed for a dry run, and noted otherwise. */
function printSummary(
  terminal: CommandContext['terminal'],
  { run, source, asOf, changes, ...counts }: ImportSummary,
  isDryRun: boolean,
) {
  const { added, changed, unchanged, skipped, linked, leftOut } = counts;
  say(terminal, `${added} added, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped`);
  const tell = (line: string) => (isDryRun ? say : warn)(terminal, line);
  if (linked > 0) tell(`${linked} are employers of other files`);
  if (leftOut > 0) tell(`${leftOut} left out: ${EMPLOYER_SOURCES[source]} adds no employers`);
  for (const kind of CHANGE_KINDS) {
    const { count, examples } = changes[kind];
    if (count > 0) tell(`${count} ${CHANGE_LABELS[kind]}: ${examples.join('; ')}`);
  }
  if (isDryRun) tell('Nothing was changed.');
  else if (run !== null) {
    tell(`import ${run}, of ${asOf}; undo it with: employers import --undo ${run}`);
  }
}

async function undo({ db, clock, terminal }: CommandContext, run: string) {
  if (!/^[1-9]\d{0,8}$/.test(run)) throw new OperatorError(`${run} is not the number of an import`);
  const { source, removed, restored, kept } = await undoImport(db, Number(run));
  const act = { actor: COMMAND, action: 'employers.import_undo', subject: source } as const;
  await recordAct(db, clock, { ...act, details: { run: Number(run), removed, restored } });
  say(terminal, `${removed} removed, ${restored} restored, ${kept.length} kept`);
  for (const { id, name } of kept) say(terminal, `kept: ${id} ${name}`);
}

const DATED =
  /(?:q(?<before>[1-4])[-_. ]?)?(?<!\d)(?<year>20\d\d)(?:[-_. ]?q(?<after>[1-4])|-(?<month>0[1-9]|1[0-2])(?:-(?<day>[0-2]\d|3[01]))?)?(?!\d)/i;

/**
 * The day that a file's name says, or the first of the month or year. A quarter counts as its last
 * month, because its file is made after it: `pos-2025-q4.csv` is of December.
 */
function dayInName(file: string): string | null {
  const named = DATED.exec(path.basename(file))?.groups;
  if (!named) return null;
  const { year, before, after = before, month = after ? Number(after) * 3 : 1, day = '01' } = named;
  return `${year}-${String(month).padStart(2, '0')}-${day}`;
}

async function alias(context: CommandContext, id: string, given: string) {
  const name = parse(EmployerName, given);
  const employer = await addAlias(context, COMMAND, readId(id), name).catch(explain);
  say(context.terminal, `${employer.id} ${employer.name}: also ${name}`);
}

function readId(text: string): number {
  const id = EmployerId.safeParse(text);
  if (!id.success) throw new OperatorError(`${text} is not the id of an employer`);
  return id.data;
}
