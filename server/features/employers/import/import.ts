import { stat } from 'node:fs/promises';
import { EMPLOYER_SOURCES, type EmployerSource } from '#contract/employers/employer-sources.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { chooseFacts } from './choose-facts.ts';
import { type EmployerFile, type FileRow, openEmployerFile } from './import-file.ts';
import * as queries from './import-queries.ts';
import { isDay, type Note, RowError } from './import-values.ts';
import { applyKnownAliases } from './known-aliases.ts';
import { areDuplicates, linksOf } from './linking.ts';
import { keysOf } from './match-keys.ts';
import { DATE_COLUMNS, type Listed, type Source, toListed } from './sources.ts';

/** What an import did, or with `isDryRun` would do. */
export interface ImportSummary {
  /** Null if nothing changed. */
  run: number | null;
  source: EmployerSource;
  asOf: string;
  added: number;
  changed: number;
  unchanged: number;
  skipped: number;
  /** Employers of other sources that this one also knows, of those it did not know before. */
  linked: number;
  /** Rows about numbers that no employer has, from a source that adds none. */
  leftOut: number;
  /** Kinds of changes, with some of them. */
  changes: Record<ChangeKind, { count: number; examples: string[] }>;
  /** What was wrong in imported rows. */
  odd: OddValues[];
}

export const CHANGE_KINDS = ['renamed', 'moved', 'owner', 'kind', 'gone', 'back', 'doubt'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Values of one column that were repaired, or are unknown, and the first of them. */
interface OddValues {
  column: Parameters<Note>[0];
  outcome: Parameters<Note>[2];
  count: number;
  text: string;
  line: number;
}

export interface ImportOptions {
  /** The date of the file. Null: the newest in its rows, or of its last change. */
  readonly asOf: string | null;
  readonly clock: Clock;
  readonly isDryRun: boolean;
  /** Imports a file that differs from the last one more than files usually do. */
  readonly isForced: boolean;
  /** Called once, before anything changes. */
  onStart(lines: number): void;
  /** Called with the last line that was read. */
  onProgress(line: number): void;
  onSkip(line: number, reason: string): void;
  /** Ends the import: nothing is changed. */
  readonly signal: AbortSignal;
}

const BATCH_ROWS = 1000;
const EXAMPLES = 3;
/** A file with fewer of the last one's rows is probably incomplete. */
const MIN_ROWS_SHARE = 0.95;
/** With more changed names, it probably has other columns than it should. */
const MAX_RENAMED_SHARE = 0.05;

/** Undoes the transaction of a dry run. */
class DryRun extends Error {}

/**
 * Imports a file of employers (docs/product/employers.md, "Employer data") in one transaction: an
 * import that is interrupted changes nothing.
 * @throws OperatorError if the file cannot be used; then nothing has changed
 */
export async function importEmployers(
  db: Db,
  path: string,
  options: ImportOptions,
): Promise<ImportSummary> {
  const file = await openEmployerFile(path);
  const asOf = options.asOf ?? (await newestDay(file)) ?? toDay((await stat(path)).mtime);
  options.onStart(file.lines);
  const summary: ImportSummary = {
    run: null,
    source: file.source.id,
    asOf,
    ...{ added: 0, changed: 0, unchanged: 0, skipped: 0, linked: 0, leftOut: 0 },
    changes: Object.fromEntries(
      CHANGE_KINDS.map((kind) => [kind, { count: 0, examples: [] }]),
    ) as unknown as ImportSummary['changes'],
    odd: [],
  };
  const attempt = inTransaction(db, async (trx) => {
    await stageFile(trx, file, summary, options);
    await writeStaged(trx, file.source, summary, options);
    if (options.isDryRun) throw new DryRun();
  });
  await attempt.catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error;
  });
  return summary;
}

/** The newest day in the rows, in a file that dates them. */
async function newestDay({ rows }: EmployerFile): Promise<string | null> {
  let newest: string | null = null;
  for await (const row of rows()) {
    if ('error' in row) continue;
    for (const column of DATE_COLUMNS) {
      const day = (row.fields[column] ?? '').slice(0, 10).replaceAll('/', '-');
      if (isDay(day) && day > (newest ?? '')) newest = day;
    }
  }
  return newest;
}

const stopped = () => new OperatorError('stopped: nothing was imported');

/** Stores the rows of the file for this transaction, a batch at a time: it may be any length. */
async function stageFile(
  trx: Db,
  { source, rows }: EmployerFile,
  summary: ImportSummary,
  { onProgress, onSkip, signal }: ImportOptions,
): Promise<void> {
  await queries.createStage(trx);
  let batch: ReadRow[] = [];
  async function flush() {
    if (signal.aborted) throw stopped();
    await queries.stage(trx, await withoutRepeats(trx, batch, summary, onSkip));
    onProgress(batch.at(-1)?.line ?? 0);
    batch = [];
  }
  for await (const row of rows()) {
    batch.push(readRow(source, row));
    if (batch.length === BATCH_ROWS) await flush();
  }
  if (batch.length > 0) await flush();
}

async function writeStaged(
  trx: Db,
  source: Source,
  summary: ImportSummary,
  { clock, isForced, signal }: ImportOptions,
) {
  const { asOf } = summary;
  const rows = await queries.lockForImport(trx);
  const last = await queries.lastImport(trx, source.id);
  const name = EMPLOYER_SOURCES[source.id];
  if (last && asOf < last.as_of) {
    throw new OperatorError(`a newer file of ${name} was imported before, of ${last.as_of}`);
  }
  const force = 'if that is right, run it again with --force';
  if (last && !isForced && source.isComplete && rows < last.rows * MIN_ROWS_SHARE) {
    throw new OperatorError(
      `it has ${rows} rows, and the last file of ${name} had ${last.rows}: ${force}`,
    );
  }
  const doubtful = await linkRows(trx, source, asOf, summary);
  summary.added = await queries.addEmployers(trx, source, asOf);
  summary.leftOut = await queries.countLeftOut(trx, source.scheme);
  const run = await queries.startRun(trx, source.id, asOf, last?.as_of ?? null);
  const { changed, gone } = await queries.writeRecords(
    trx,
    source,
    { id: run, asOf },
    doubtful.linked,
  );
  if (signal.aborted) throw stopped();
  summarize(summary, changed, gone);
  const renamed = summary.changes.renamed.count;
  if (last && !isForced && renamed > Math.max(1, last.rows * MAX_RENAMED_SHARE)) {
    throw new OperatorError(`it renames ${renamed} of ${last.rows} employers: ${force}`);
  }
  summary.changed = changed.length + gone.length;
  summary.unchanged = rows - summary.leftOut - summary.added - changed.length;
  const idsOf = (records: readonly queries.ChangedRecord[]) =>
    records.map(({ employer_id }) => employer_id);
  await chooseFacts(trx, idsOf([...changed, ...gone]), { keepsOldNames: true });
  await applyKnownAliases(trx, idsOf(changed));
  for (const { value, employer_id } of await queries.addedAmong(trx, [...doubtful.values.keys()])) {
    await openCase(trx, clock, { kind: 'employer', subject: { employer_id }, priority: 3 });
    note(summary, 'doubt', doubtful.values.get(value) ?? value);
  }
  if (summary.added + summary.changed + summary.linked > 0) summary.run = run;
  else await trx.deleteFrom('employer_imports').where('id', '=', run).execute();
}

/** Links rows with new identifiers to employers, and returns those that are in doubt. */
async function linkRows(trx: Db, source: Source, asOf: string, summary: ImportSummary) {
  const values = new Map<string, string>();
  let linked: readonly string[] = [];
  if (await queries.hasUnknown(trx, source.scheme)) {
    await stageExistingKeys(trx);
    const pairs = await queries.selectPairs(trx, source);
    const links = linksOf(pairs.filter(({ isSameScheme }) => !isSameScheme));
    await queries.link(trx, source.scheme, asOf, links.linked);
    linked = [...links.linked.keys()];
    summary.linked = linked.length;
    const nameOf = new Map(pairs.map(({ employer_id, employer }) => [employer_id, employer.name]));
    for (const [value, id] of links.doubtful) values.set(value, nameOf.get(id) ?? value);
    // Two numbers of one scheme under one roof: one that was converted, or two hospitals.
    for (const { value, row, employer } of pairs.filter(({ isSameScheme }) => isSameScheme)) {
      if (areDuplicates(row, employer)) values.set(value, employer.name ?? value);
    }
  }
  for (const { value, row, twin } of await queries.selectTwins(trx, source.scheme)) {
    if (!values.has(value) && areDuplicates(row, twin)) values.set(value, twin.name ?? value);
  }
  return { linked, values };
}

async function stageExistingKeys(trx: Db) {
  await queries.createExistingKeys(trx);
  for (let after = 0; ; ) {
    const page = await queries.selectImported(trx, after);
    const last = page.at(-1);
    if (!last) return;
    const keys = page.map((one) => ({ employer_id: one.employer_id, keys: keysOf(one) }));
    await queries.addExistingKeys(trx, keys);
    after = last.employer_id;
  }
}

function note(summary: ImportSummary, kind: ChangeKind, example: string) {
  const change = summary.changes[kind];
  change.count += 1;
  if (change.examples.length < EXAMPLES) change.examples.push(example);
}

const COMPARED = { address: 'moved', ownership_type: 'owner', specialty: 'kind' } as const;

function summarize(
  summary: ImportSummary,
  changed: readonly queries.ChangedRecord[],
  gone: readonly queries.ChangedRecord[],
) {
  for (const { value, facts, before, wasGone } of changed) {
    if (wasGone) note(summary, 'back', `${value} ${facts['name']}`);
    if (!before) continue;
    const [now, then] = [facts, before].map(({ source_name, name }) => source_name ?? name);
    if (now !== then) note(summary, 'renamed', `${value} ${then} -> ${now}`);
    for (const [fact, kind] of Object.entries(COMPARED)) {
      if (facts[fact] === before[fact]) continue;
      note(summary, kind, `${value} ${before[fact] ?? 'unknown'} -> ${facts[fact] ?? 'unknown'}`);
    }
  }
  for (const { value, facts } of gone) note(summary, 'gone', `${value} ${facts['name'] ?? ''}`);
}

type ReadRow = { readonly line: number } & (
  | { readonly error: string }
  /** Null: the row is about no employer. */
  | { readonly listed: Listed | null; readonly notes: readonly Parameters<Note>[] }
);

function readRow(source: Source, row: FileRow): ReadRow {
  const { line } = row;
  if ('error' in row) return { line, error: row.error };
  const notes: Parameters<Note>[] = [];
  try {
    return { line, listed: toListed(source, row.fields, (...note) => notes.push(note)), notes };
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    return { line, error: error.message };
  }
}

/** The employers of a batch. Of two rows with one identifier, the heavier one counts. */
async function withoutRepeats(
  trx: Db,
  batch: readonly ReadRow[],
  summary: ImportSummary,
  onSkip: ImportOptions['onSkip'],
): Promise<queries.Staged[]> {
  const values = batch.flatMap((row) => ('listed' in row && row.listed ? [row.listed.value] : []));
  const seen = await queries.selectStaged(trx, values);
  const kept = new Map<string, queries.Staged>();
  const skip = (line: number, reason: string) => {
    summary.skipped += 1;
    onSkip(line, reason);
  };
  for (const row of batch) {
    if ('error' in row) {
      skip(row.line, row.error);
      continue;
    }
    const { line, listed, notes } = row;
    if (!listed) continue;
    const { value, weight } = listed;
    const earlier = kept.get(value) ?? seen.get(value);
    if (earlier && earlier.weight === 0 && weight === 0) {
      skip(line, `ID ${value} is already on line ${earlier.line}`);
    } else if (!earlier || earlier.weight < weight) {
      kept.set(value, { ...listed, line });
      noteOdd(summary.odd, line, notes);
    }
  }
  return [...kept.values()];
}

function noteOdd(odd: OddValues[], line: number, notes: readonly Parameters<Note>[]) {
  for (const [column, text, outcome] of notes) {
    const same = odd.find((one) => one.column === column && one.outcome === outcome);
    if (same) same.count += 1;
    else odd.push({ column, outcome, count: 1, text, line });
  }
}
