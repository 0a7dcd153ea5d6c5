import { curbside } from '#server/cli/testing/curbside.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newFile } from '#server/testing/folder.ts';
import { generatedRow } from './generated-rows.ts';
import { HEADER, npiOf } from './nppes-file.ts';

export const FULL = 'npidata_pfile_20050523-20261108.csv';
export const UPDATE = 'npidata_pfile_20261109-20261115.csv';

export const csv = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;
export const full = (...rows: string[]) => newFile(FULL, csv(...rows));
export const update = (...rows: string[]) => newFile(UPDATE, csv(...rows));
export const generated = (count: number) =>
  Array.from({ length: count }, (_, n) => generatedRow(n));

export const run = (server: TestApp, ...args: string[]) => curbside(server, ['registry', ...args]);
export const importFile = (server: TestApp, file: string, options = {}) =>
  curbside(server, ['registry', 'import', file], options);

export const stored = ({ deps }: TestApp) =>
  deps.db.selectFrom('registry_physicians').selectAll().orderBy('npi').execute();

export const counts = ({ deps }: TestApp) => {
  const rows = deps.db.selectFrom('physician_counts').selectAll();
  return rows.orderBy('state').orderBy('city').orderBy('specialty').execute();
};

export const lookUp = ({ deps }: TestApp, n: number) => deps.npiRegistry.lookUp(npiOf(n));
