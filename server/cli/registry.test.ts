import { sql } from 'kysely';
import { AT } from '#server/npi-registry/import/row.ts';
import * as imports from '#server/npi-registry/testing/imports.ts';
import * as nppes from '#server/npi-registry/testing/nppes-file.ts';
import { newFile } from '#server/testing/folder.ts';
import { expect, testWith } from '#server/testing/site.ts';
import { expectRefusal } from './testing/curbside.ts';

const { FULL, UPDATE, counts, csv, full, generated, importFile, lookUp, run, stored } = imports;
const { update } = imports;
const { deactivated, npiOf, physician, row, taxonomies } = nppes;

const asked: string[] = [];
const test = testWith({
  npiRegistry: {
    async lookUp(npi) {
      asked.push(npi);
      return { kind: 'unknown' };
    },
  },
});
test.beforeEach(async ({ site }) => {
  await run(site, 'forget');
  asked.length = 0;
});

const NURSE = taxonomies(['363LF0000X', 'Y']);

test('imports physicians and deactivated numbers, and nobody else', async ({ site }) => {
  const file = full(
    physician(npiOf(1), { [AT.otherLastName]: 'LEVY', [AT.otherFirstName]: 'M' }),
    physician(npiOf(2), NURSE),
    row({ [AT.npi]: npiOf(3), [AT.entityType]: '2', 4: 'ST. AGNES' }),
    deactivated(npiOf(4)),
    physician(npiOf(5), { [AT.deactivatedOn]: '01/02/2015', [AT.reactivatedOn]: '03/04/2016' }),
    physician(npiOf(6), { [AT.deactivatedOn]: '01/02/2017', [AT.reactivatedOn]: '03/04/2016' }),
    physician(npiOf(7), { [AT.country]: 'CA', [AT.state]: 'ON' }),
  );
  const { code, output } = await importFile(site, file);
  const known = '7 rows read, 0 skipped\n3 physicians and 2 deactivated numbers are known\n';
  expect({ code, output }).toEqual({ code: 0, output: known });
  expect(await stored(site)).toMatchObject([
    {
      npi: Number(npiOf(1)),
      deactivated: false,
      first_name: 'MIRIAM',
      last_name: 'ASHWORTH',
      other_first_name: 'M',
      other_last_name: 'LEVY',
      taxonomies: ['207R00000X'],
      street: ['601 ELMWOOD AVE'],
      postal_code: '14642-0001',
    },
    { npi: Number(npiOf(4)), deactivated: true, last_name: null, taxonomies: [] },
    { npi: Number(npiOf(5)), deactivated: false, reactivated_on: '2016-03-04' },
    { npi: Number(npiOf(6)), deactivated: true, last_name: null },
    { npi: Number(npiOf(7)), deactivated: false, street: null, state: null },
  ]);
  const counted = { state: 'NY', city: 'ROCHESTER', specialty: '207R00000X', physicians: 2 };
  expect(await counts(site)).toEqual([counted]);
});

test('after an import, no lookup leaves the server, found or not', async ({ site }) => {
  await lookUp(site, 1);
  expect(asked).toEqual([npiOf(1)]);
  await importFile(site, full(physician(npiOf(1)), deactivated(npiOf(2))));
  expect(await lookUp(site, 1)).toEqual({
    kind: 'person',
    active: true,
    names: [{ first: 'MIRIAM', last: 'ASHWORTH' }],
    taxonomies: ['207R00000X'],
    practice: {
      lines: ['601 ELMWOOD AVE'],
      city: 'ROCHESTER',
      state: 'NY',
      postal_code: '14642-0001',
    },
  });
  expect(await lookUp(site, 2)).toEqual({ kind: 'deactivated' });
  expect(await lookUp(site, 3)).toEqual({ kind: 'unknown' });
  expect(asked).toHaveLength(1);
  const forgotten = await run(site, 'forget');
  expect(forgotten.output).toBe('The registry is deleted: verification queries localhost:3000.\n');
  await lookUp(site, 1);
  expect(asked).toHaveLength(2);
});

test('an update adds, changes, removes, deactivates, and keeps the rest', async ({ site }) => {
  const first = [1, 2, 3, 4].map((n) => physician(npiOf(n)));
  await importFile(site, full(...first, deactivated(npiOf(5))));
  const weekly = update(
    physician(npiOf(2), { [AT.lastName]: 'LEVY', [AT.city]: 'BUFFALO' }),
    physician(npiOf(3), NURSE),
    deactivated(npiOf(4)),
    physician(npiOf(5), { [AT.deactivatedOn]: '03/01/2020', [AT.reactivatedOn]: '11/10/2026' }),
    physician(npiOf(6)),
  );
  const once = await importFile(site, weekly);
  expect(once.output).toContain('4 physicians and 1 deactivated numbers are known');
  const after = await stored(site);
  expect(after).toMatchObject([
    { npi: Number(npiOf(1)), last_name: 'ASHWORTH' },
    { npi: Number(npiOf(2)), last_name: 'LEVY' },
    { npi: Number(npiOf(4)), deactivated: true },
    { npi: Number(npiOf(5)), deactivated: false },
    { npi: Number(npiOf(6)) },
  ]);
  expect(await lookUp(site, 3)).toEqual({ kind: 'unknown' });
  expect(await counts(site)).toEqual([
    { state: 'NY', city: 'BUFFALO', specialty: '207R00000X', physicians: 1 },
    { state: 'NY', city: 'ROCHESTER', specialty: '207R00000X', physicians: 3 },
  ]);
  await importFile(site, weekly);
  expect(await stored(site)).toEqual(after);
});

test('requires updates in order', async ({ site }) => {
  const early = importFile(site, update(physician(npiOf(1))));
  await expectRefusal(early, 'there is no registry to update: import the full monthly file first');
  await importFile(site, full(physician(npiOf(1))));
  const late = newFile('npidata_pfile_20261123-20261129.csv', csv(physician(npiOf(2))));
  const gap = await importFile(site, late);
  expect(gap.errors).toContain('no file covers the days between 2026-11-08 and 2026-11-23');
  const { errors } = await importFile(site, update(physician(npiOf(2), NURSE)));
  const range = 'the update ends on 2026-11-15, but the registry is already at 2026-11-29';
  expect(errors).toContain(range);
  expect(await stored(site)).toHaveLength(2);
});

test('requires the kind as an option if the file name does not show it', async ({ site }) => {
  const file = newFile('november.csv', csv(physician(npiOf(1))));
  expect((await importFile(site, file)).errors).toContain('add --full, or --update');
  expect((await run(site, 'import', file, '--full', '--update')).code).toBe(1);
  expect((await run(site, 'import', file, '--full')).code).toBe(0);
});

test('applies the list of deactivated numbers, except later reactivations', async ({ site }) => {
  const list = newFile(
    'deactivated.csv',
    [
      'CMS NPPES Deactivated NPI Report 11/10/2026,',
      'NPI,NPPES Deactivation Date',
      `${npiOf(1)},11/09/2026`,
      `"${npiOf(2)}","03/03/2015"`,
      `${npiOf(9)},2026-11-09`,
      'nonsense,11/09/2026',
      `${npiOf(8)},02/30/2026`,
      '',
    ].join('\r\n'),
  );
  expect((await run(site, 'deactivated', list)).errors).toContain('there is no registry to update');
  const reactivated = { [AT.deactivatedOn]: '03/03/2015', [AT.reactivatedOn]: '03/04/2016' };
  const rows = [physician(npiOf(1)), physician(npiOf(2), reactivated), physician(npiOf(3))];
  await importFile(site, full(...rows));
  const { output, errors } = await run(site, 'deactivated', list);
  expect(output).toBe('3 rows read, 2 skipped\n2 physicians and 2 deactivated numbers are known\n');
  expect(errors).toBe(
    'line 6 skipped: it is not a number and a day\nline 7 skipped: it is not a number and a day\n',
  );
  expect(await lookUp(site, 1)).toEqual({ kind: 'deactivated' });
  expect(await lookUp(site, 2)).toMatchObject({ kind: 'person' });
  expect(await lookUp(site, 9)).toEqual({ kind: 'deactivated' });
  expect(await counts(site)).toMatchObject([{ physicians: 2 }]);
});

test('a lookup during an import reads either the old registry or the new one', async ({ site }) => {
  const named = (last: string) =>
    full(...[1, 2, 3].map((n) => physician(npiOf(n), { [AT.lastName]: last })));
  const files = [named('BEFORE'), named('AFTER')];
  await importFile(site, files[0] ?? '');
  const names = new Set<string>();
  for (const file of [files[1], files[0], files[1]]) {
    let isDone = false;
    const importing = importFile(site, file ?? '').finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const answer = await lookUp(site, 2);
      names.add(answer.kind === 'person' ? (answer.names[0]?.last ?? '') : answer.kind);
    }
    await importing;
  }
  expect(names).toEqual(new Set(['BEFORE', 'AFTER']));
});

test('the status shows what is imported, from which files, and when', async ({ site }) => {
  const today = site.time.now.toISOString().slice(0, 10);
  const none = 'No registry is imported: verification queries localhost:3000.\n';
  expect((await run(site, 'status')).output).toBe(none);
  await importFile(site, full(physician(npiOf(1)), 'x', deactivated(npiOf(2))));
  await importFile(site, update(physician(npiOf(3))));
  expect((await run(site, 'status')).output).toBe(
    [
      '2 physicians and 1 deactivated numbers',
      `${today}  full  ${FULL}: 4 lines, 1 skipped`,
      `${today}  update  ${UPDATE}: 2 lines, 0 skipped`,
      '',
    ].join('\n'),
  );
  const acts = await site.rows('audit_log');
  expect(acts.map(({ action, subject }) => [action, subject])).toEqual(
    expect.arrayContaining([
      ['registry.import', 'full'],
      ['registry.import', 'update'],
    ]),
  );
});

test('looking up a number leaves no trace on disk: hint bits are set', async ({ site }) => {
  const file = full(...generated(1000));
  // Another process, such as autovacuum, may keep PostgreSQL from setting the bits: then retry.
  const unmarked = async () => {
    await importFile(site, file);
    const { rows } = await sql<{ pages: number }>`
      select relpages - relallvisible as pages from pg_class
      where oid = 'registry_physicians'::regclass and relpages > 0`.execute(site.deps.db);
    return rows[0]?.pages;
  };
  await expect.poll(unmarked).toBe(0);
});
