import { AT } from '#server/npi-registry/import/row.ts';
import * as imports from '#server/npi-registry/testing/imports.ts';
import { deactivated, HEADER, npiOf, physician } from '#server/npi-registry/testing/nppes-file.ts';
import { zipOf } from '#server/npi-registry/testing/zip-file.ts';
import { newFile } from '#server/testing/folder.ts';
import { expect, testWith } from '#server/testing/site.ts';

const { FULL, UPDATE, counts, csv, full, generated, importFile, run, stored } = imports;

const test = testWith();
test.beforeEach(({ site }) => run(site, 'forget'));

const MANY = csv(...generated(2000));

test.for<[what: string, content: string | Buffer]>([
  ['LF', MANY],
  ['CRLF', MANY.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF${MANY}`],
  ['no line break at the end', MANY.trimEnd()],
  ['zip', zipOf({ [FULL]: MANY })],
  [
    'a zip in its 64-bit form, with other files in it',
    zipOf(
      {
        'NPPES_Data_Dissemination_Readme_v.2.pdf': 'PDF',
        'npidata_pfile_20050523-20261108_fileheader.csv': HEADER,
        'othername_pfile_20050523-20261108.csv': '"NPI"\n',
        [FULL]: MANY,
      },
      { zip64: true },
    ),
  ],
])('%s makes no difference', async ([, content], { site }) => {
  const { output } = await importFile(site, newFile(FULL, content));
  const known = '2000 rows read, 0 skipped\n354 physicians and 115 deactivated numbers are known\n';
  expect(output).toBe(known);
  const rows = await stored(site);
  expect(rows.find(({ street }) => street?.[0]?.includes('LODGE'))).toMatchObject({
    first_name: 'MARY "MIMI"',
    street: expect.arrayContaining(['C\\O "THE LODGE", 1 MAIN STREET']),
  });
  const counted = (await counts(site)).reduce((sum, { physicians }) => sum + physicians, 0);
  expect(counted).toBe(rows.filter(({ street }) => street !== null).length);
});

test('reports and skips each bad row by line number, up to a limit', async ({ site }) => {
  const good = physician(npiOf(1));
  const { output, errors } = await importFile(
    site,
    full(
      good,
      good.slice(0, 298),
      `${good},""`,
      physician('123'),
      physician(npiOf(2), { [AT.entityType]: '3' }),
      physician(npiOf(3), { [AT.deactivatedOn]: '31/12/2020' }),
      physician(npiOf(4), { [AT.lastName]: 'X'.repeat(301) }),
      '',
      physician(npiOf(5)),
      ...Array<string>(40).fill('x'),
    ),
  );
  expect(output).toContain('49 rows read, 46 skipped\n2 physicians');
  expect(errors.split('\n').filter((line) => line.includes('skipped'))).toEqual([
    'line 3 skipped: it does not begin and end with a quote',
    'line 4 skipped: it has 331 columns, not 330',
    'line 5 skipped: its first column is not an NPI',
    'line 6 skipped: its entity type is neither 1 nor 2',
    'line 7 skipped: a date in it is not in the form 11/22/2026',
    'line 8 skipped: column 6 is longer than 300 characters',
    ...Array.from(
      { length: 14 },
      (_, n) => `line ${n + 11} skipped: it does not begin and end with a quote`,
    ),
    'and 26 more lines skipped',
  ]);
});

const swapped = HEADER.replace('Provider First Name', 'Provider Last Name (Legal Name)');
const nested = (names: Record<string, string>) => zipOf(names);
test.for<[what: string, content: string | Buffer, reason: string]>([
  ['empty', '', 'is empty'],
  ['of another kind', 'ID,NAME\n1,X\n', 'is not a readable NPPES file'],
  ['with other columns', '"NPI","X"\n', 'its first line has 2 columns, not 330'],
  ['in another order', `${swapped}\n`, "column 7 is 'Provider Last Name (Legal Name)', not"],
  ['without a physician', csv(deactivated(npiOf(1))), 'the file has no physicians'],
  ['truncated', csv(physician(npiOf(1)), physician(npiOf(2))).slice(0, -50), 'ends in the middle'],
  ['one long line', 'x'.repeat(2_000_000), 'a line of the file is far too long'],
  ['mostly bad', csv(...Array<string>(1200).fill('x')), 'has 1200 bad rows in 1201'],
  ['an empty zip', nested({}), 'contains no npidata_pfile_….csv'],
  ['a zip without the file', nested({ 'a.csv': HEADER }), 'contains no npidata_pfile_….csv'],
  ['a zip with two files', nested({ [FULL]: HEADER, [UPDATE]: HEADER }), 'contains several'],
  ['a zip with a path outside it', nested({ [`../../${FULL}`]: HEADER }), 'cannot be unpacked'],
  ['truncated in a zip', zipOf({ [FULL]: csv(...generated(50)) }).subarray(0, 900), 'cannot be'],
  ['damaged', zipOf({ [FULL]: csv(physician(npiOf(1))) }, { isDamaged: true }), 'is damaged'],
  [
    'compressed with another method',
    zipOf({ [FULL]: HEADER }, { method: 9 }),
    'uses an unsupported compression',
  ],
])('one line rejects a file that is %s; nothing changes', async ([, content, reason], { site }) => {
  await importFile(site, full(physician(npiOf(1))));
  const before = await stored(site);
  const file = newFile(FULL, content);
  const { code, output, errors } = await importFile(site, file);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  const reported = errors.split('\n').filter((line) => line.startsWith('curbside: '));
  expect(reported).toEqual([expect.stringContaining(reason)]);
  expect(errors).not.toContain('    at ');
  expect(await stored(site)).toEqual(before);
});

test('rejects a missing file, a folder, a device, and a workbook', async ({ site }) => {
  const files = ['/no/such.csv', '/tmp', '/dev/null', '/no/such.xlsx'];
  const errors = await Promise.all(
    files.map(async (file) => (await importFile(site, file)).errors),
  );
  expect(errors).toEqual([
    'curbside: /no/such.csv: file not found\n',
    'curbside: /tmp is a folder, not a file\n',
    'curbside: /dev/null is not a file\n',
    'curbside: /no/such.xlsx is a workbook: save its sheet as CSV and import that\n',
  ]);
});

test('rejects a file with too few physicians until the registry is deleted', async ({ site }) => {
  await importFile(site, full(...[1, 2, 3].map((n) => physician(npiOf(n)))));
  const small = full(physician(npiOf(1)));
  const { errors } = await importFile(site, small);
  expect(errors).toContain('the file has 1 physicians, and the registry 3: nothing was changed');
  expect(await stored(site)).toHaveLength(3);
  await run(site, 'forget');
  expect((await importFile(site, small)).code).toBe(0);
});
