import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { importEmployers } from '#server/features/employers/import/import.ts';
import { writeHospitalFile } from '#server/features/employers/testing/hospital-file.ts';
import { temporaryDatabase } from './databases.ts';
import { type Figure, median } from './figures.ts';

/** About as many hospitals as the US has. */
const HOSPITALS = 8000;
const ROUNDS = 5;

/** The columns that an import writes. PostgreSQL computes the others, also during COPY. */
const COLUMNS = `source, source_id, name, address, city, state, zip, phone, website, employer_type,
  specialty, ownership_type, bed_count, staff_count, trauma_level, has_helipad,
  hospital_status`.replaceAll(/\s+/g, ' ');

/** Compares importing the hospital file with COPY of the same rows into the same table. */
export async function importFigures(serverUrl: string): Promise<Figure[]> {
  const figure = {
    what: 'import of the hospital file: speed relative to COPY into the same table',
    target: { atLeast: 0.3 },
  } as const;
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
  const file = writeHospitalFile(folder, HOSPITALS);
  const rows = path.join(folder, 'rows');
  const ours: number[] = [];
  const copies: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await inEmptyDatabase(serverUrl, (url) => importInto(url, file, rows)));
      copies.push(await inEmptyDatabase(serverUrl, (url) => copyInto(url, rows)));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const [our, copy] = [median(ours), median(copies)];
  const note = `${our.toFixed(0)} and ${copy.toFixed(0)} ms`;
  return [{ ...figure, measured: copy / our, note }];
}

async function inEmptyDatabase(serverUrl: string, measure: (url: string) => Promise<number>) {
  await using temporary = await temporaryDatabase(serverUrl, 'curbside_bench_import');
  const { background, close } = openDatabase({ connectionString: temporary.url }, () => {});
  await migrate(background.pool).finally(close);
  return await measure(temporary.url);
}

/** Returns the time in milliseconds, and leaves the rows in a file for COPY. */
async function importInto(url: string, file: string, rows: string): Promise<number> {
  const { background, close } = openDatabase({ connectionString: url }, () => {});
  const began = performance.now();
  await importEmployers(background.db, file, {
    ...{ asOf: '2026-01-01', clock: () => new Date(), isDryRun: false, isForced: false },
    onStart() {},
    onProgress() {},
    onSkip() {},
    signal: new AbortController().signal,
  }).finally(close);
  const took = performance.now() - began;
  await psql(url, `\\copy (select ${COLUMNS} from employers order by id) to '${rows}'`);
  return took;
}

/** psql measures the time. */
async function copyInto(url: string, rows: string): Promise<number> {
  const printed = await psql(url, '\\timing on', `\\copy employers (${COLUMNS}) from '${rows}'`);
  const time = /Time: ([\d.]+) ms/.exec(printed)?.[1];
  if (!time) throw new Error(`psql printed: ${printed}`);
  return Number(time);
}

async function psql(url: string, ...commands: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('psql', [
    ...['-X', '-v', 'ON_ERROR_STOP=1', '-d', url],
    ...commands.flatMap((command) => ['-c', command]),
  ]);
  return stdout;
}
