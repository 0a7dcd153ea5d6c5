import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { curbside } from '#server/cli/testing/curbside.ts';
import type { TestApp } from '#server/testing/app.ts';
import { generatedRow } from './generated-rows.ts';
import { HEADER, npiOf } from './nppes-file.ts';

export const FULL = 'npidata_pfile_20050523-20261108.csv';
export const UPDATE = 'npidata_pfile_20261109-20261115.csv';

/** Writes a file that is deleted at the end of the test. */
export function fileOf(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

export const csv = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;
export const full = (...rows: string[]) => fileOf(FULL, csv(...rows));
export const update = (...rows: string[]) => fileOf(UPDATE, csv(...rows));
export const generated = (count: number) =>
  Array.from({ length: count }, (_, n) => generatedRow(n));

export const run = (server: TestApp, ...args: string[]) => curbside(server, ['registry', ...args]);
export const importFile = (server: TestApp, file: string, options = {}) =>
  curbside(server, ['registry', 'import', file], options);

export const stored = ({ deps }: TestApp) =>
  deps.db.selectFrom('registry_physicians').selectAll().orderBy('npi').execute();

export const counts = ({ deps }: TestApp) =>
  deps.db
    .selectFrom('physician_counts')
    .selectAll()
    .orderBy('state')
    .orderBy('city')
    .orderBy('specialty')
    .execute();

export const lookUp = ({ deps }: TestApp, n: number) => deps.npiRegistry.lookUp(npiOf(n));
