import { Command } from 'commander';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { importDeactivations, importRegistry } from '#server/npi-registry/import/import.ts';
import type { FileKind, RegistrySize } from '#server/npi-registry/import/publish.ts';
import { forgetRegistry, registryContents } from '#server/npi-registry/imported.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { progressOf, say, type Terminal, warn } from './terminal.ts';

interface Kinds {
  full?: true;
  update?: true;
}

/** `curbside registry …` */
export function registryCommand(withDatabase: WithDatabase): Command {
  const registry = new Command('registry').description(
    'A copy of the NPI registry. With it, verification queries no outside service.',
  );
  registry
    .command('import')
    .description('Imports a monthly or weekly NPPES file. A stopped import changes nothing.')
    .argument('<file>', 'the file as downloaded (zip), or the npidata_pfile_….csv in it')
    .option('--full', 'treat it as a full file, whatever its name')
    .option('--update', 'treat it as a weekly file, whatever its name')
    .action(withDatabase(importFile));
  registry
    .command('deactivated <file>')
    .description('Marks the numbers in the list of deactivated NPIs (CSV: number, day).')
    .action(withDatabase(deactivate));
  registry
    .command('status')
    .description('Shows what is imported.')
    .action(withDatabase(showStatus));
  registry
    .command('forget')
    .description('Deletes the copy. Verification then queries NPI_REGISTRY_URL again.')
    .action(withDatabase(forget));
  return registry;
}

async function importFile(context: CommandContext, path: string, kinds: Kinds) {
  const { database, clock, terminal, signal } = context;
  const progress = progressOf(terminal, 'MB');
  const skips = reportSkips(terminal);
  const summary = await importRegistry(database.pool, path, {
    kind: kindOf(kinds),
    clock,
    onProgress: (bytes, total) => progress(megabytes(bytes), megabytes(total)),
    onSkip: skips.report,
    onNotice: (text) => warn(terminal, text),
    signal,
  }).finally(skips.end);
  if (!summary) throw new OperatorError('stopped: run it again');
  await report(context, summary.kind, summary);
}

async function deactivate(context: CommandContext, path: string) {
  const { database, clock, terminal } = context;
  const skips = reportSkips(terminal);
  const options = { clock, onSkip: skips.report };
  const summary = await importDeactivations(database.pool, path, options).finally(skips.end);
  await report(context, 'deactivations', summary);
}

/** Records an import in the audit log, and prints its result. */
async function report(
  { db, clock, terminal }: CommandContext,
  subject: string,
  { rows, skipped, size }: { rows: number; skipped: number; size: RegistrySize },
) {
  const { physicians, deactivated } = size;
  const details = { rows, skipped, physicians, deactivated };
  await recordAct(db, clock, { actor: COMMAND, action: 'registry.import', subject, details });
  say(terminal, `${rows} rows read, ${skipped} skipped`);
  say(terminal, `${physicians} physicians and ${deactivated} deactivated numbers are known`);
}

async function showStatus({ db, terminal, config }: CommandContext) {
  const { files, size } = await registryContents(db);
  if (files.length === 0) {
    say(
      terminal,
      `No registry is imported: verification queries ${hostOf(config.npiRegistryUrl)}.`,
    );
  } else {
    say(terminal, `${size.physicians} physicians and ${size.deactivated} deactivated numbers`);
  }
  for (const { file_name, kind, imported_on, lines, skipped } of files) {
    say(terminal, `${imported_on}  ${kind}  ${file_name}: ${lines} lines, ${skipped} skipped`);
  }
}

async function forget({ database, db, clock, terminal, config }: CommandContext) {
  const hadOne = await forgetRegistry(database.pool);
  if (hadOne) {
    await recordAct(db, clock, { actor: COMMAND, action: 'registry.forget', subject: 'all' });
  }
  const what = hadOne ? 'The registry is deleted' : 'No registry was imported';
  say(terminal, `${what}: verification queries ${hostOf(config.npiRegistryUrl)}.`);
}

function kindOf({ full, update }: Kinds): FileKind | undefined {
  if (full && update) throw new OperatorError('a file is either --full or --update, not both');
  if (full) return 'full';
  return update ? 'update' : undefined;
}

/** Further bad rows are only counted. */
const MAX_REPORTED_SKIPS = 20;

function reportSkips(terminal: Terminal) {
  let count = 0;
  return {
    report(line: number, reason: string) {
      count += 1;
      if (count <= MAX_REPORTED_SKIPS) warn(terminal, `line ${line} skipped: ${reason}`);
    },
    end() {
      if (count > MAX_REPORTED_SKIPS)
        warn(terminal, `and ${count - MAX_REPORTED_SKIPS} more lines skipped`);
    },
  };
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);

/** Without the query, which may contain a key. */
const hostOf = (url: string) => new URL(url).host;
