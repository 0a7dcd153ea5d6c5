import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { openDatabase } from '#server/db/open.ts';
import { generatedRow } from '#server/npi-registry/testing/generated-rows.ts';
import { HEADER, npiOf, physician } from '#server/npi-registry/testing/nppes-file.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-kill-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function fileOf(rows: string[]): string {
  const file = path.join(newFolder(), 'npidata_pfile_20050523-20261108.csv');
  writeFileSync(file, `${[HEADER, ...rows].join('\n')}\n`);
  return file;
}

const start = (DATA_DIR: string, ...args: string[]) =>
  spawn(process.execPath, [MAIN, 'registry', ...args], {
    env: { DATA_DIR },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function run(dataDir: string, ...args: string[]) {
  const child = start(dataDir, ...args);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { output, errors };
}

// Five processes, one at a time: this takes a while on a busy machine.
test('a killed import loses nothing, and the next one completes it', async () => {
  const dataDir = newFolder();
  const embedded = await startEmbedded({ dataDir });
  onTestFinished(() => embedded.stop());
  const database = openDatabase(embedded.connection, () => {});
  onTestFinished(() => database.close());
  const stored = () =>
    database.db.selectFrom('registry_physicians').selectAll().orderBy('npi').execute();

  await run(dataDir, 'import', fileOf([physician(npiOf(0))]));
  const before = await stored();
  const file = fileOf(Array.from({ length: 25_000 }, (_, n) => generatedRow(n)));
  const killed = start(dataDir, 'import', file);
  // By now, the first batch is committed.
  await once(createInterface(killed.stderr), 'line');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await stored()).toEqual(before);

  const again = await run(dataDir, 'import', file);
  expect(again.errors).toMatch(/resuming at \d+ MB/);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
  const completed = await stored();
  await run(dataDir, 'forget');
  await run(dataDir, 'import', file);
  expect(await stored()).toEqual(completed);
}, 120_000);
