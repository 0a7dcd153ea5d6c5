import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import {
  SAMPLE_FILE,
  writeHospitalFile,
} from '#server/features/employers/testing/hospital-file.ts';
import { newFile, newFolder } from '#server/testing/folder.ts';
import { HOSPITALS_FILE } from '#server/testing/hospitals-file.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';

/** Each test begins without employers and log entries. */
const test = testWith();
test.beforeEach(async ({ site }) => {
  for (const table of [
    'employer_identifiers',
    'employers',
    'employer_imports',
    'audit_log',
  ] as const) {
    await site.deps.db.deleteFrom(table).execute();
  }
});

const sample = readFileSync(SAMPLE_FILE, 'utf8');
const [header = '', ...sampleRows] = sample.trimEnd().split('\n');

const fileOf = (content: string | Buffer) => newFile('hospitals.csv', content);

const importFile = (site: Site, file: string, options = {}, flags: string[] = []) =>
  curbside(site, ['employers', 'import', file, ...flags], options);

const stored = ({ deps }: Site) =>
  deps.db
    .selectFrom('employers')
    .selectAll()
    .select(sql<string>`xmin::text`.as('version'))
    .where('source', '=', 'hifld')
    .orderBy('source_id')
    .execute();

test('imports the sample, which appears in the directory immediately', async ({ site }) => {
  const { code, output, errors } = await importFile(site, SAMPLE_FILE);
  const added = '36 added, 0 changed, 0 unchanged, 0 skipped\n';
  expect({ code, output }).toEqual({ code: 0, output: added });
  expect(errors).toContain('36 of 36 lines\n');
  const hospitals = await stored(site);
  expect(hospitals.map(({ employer_type }) => employer_type)).toEqual(Array(36).fill('hospital'));
  expect(hospitals[1]).toMatchObject({
    source_id: '0000206099',
    name: 'THE "OLD SALT" HOSPITAL, SALTMARSH',
    address: '101 FICTION AVENUE',
    city: 'SALTMARSH',
    state: 'CT',
    zip: '06099',
    phone: '(201) 555-0101',
    website: 'https://saltmarsh.example/care?unit=er',
    specialty: 'Critical Access',
    ownership_type: 'Proprietary',
    bed_count: 110,
    staff_count: null,
    trauma_level: 'Level IV',
    has_helipad: false,
    hospital_status: 'Open',
  });
  expect(hospitals[3]).toMatchObject({ city: 'BAHÍA CLARA', state: 'PR', staff_count: 412 });
  const query = { search: 'old salt' };
  const found = await site.visitor().get(employerEndpoints.list, { query });
  expect(found.body).toMatchObject({ count: 1, results: [{ trauma_level: 'Level IV' }] });
});

test('a second run changes nothing: it writes no row and uses no id', async ({ site }) => {
  await importFile(site, SAMPLE_FILE);
  const before = await stored(site);
  const { output } = await importFile(site, SAMPLE_FILE);
  expect(output).toBe('0 added, 0 changed, 36 unchanged, 0 skipped\n');
  expect(await stored(site)).toEqual(before);
  const another = sampleRows[0]?.replace('0000136999', '0000999999') ?? '';
  await importFile(site, fileOf(`${header}\n${another}`), {}, ['--force']);
  const added = (await stored(site)).find(({ source_id }) => source_id === '0000999999');
  expect(added?.id).toBe(Math.max(...before.map(({ id }) => id)) + 1);
});

test('updates a row that differs, keeps its id, and leaves the rest alone', async ({ site }) => {
  await importFile(site, SAMPLE_FILE);
  const before = await stored(site);
  const changes = fileOf(sample.replace(',UPPER LARKHAVEN,', ',LOWER LARKHAVEN,'));
  const { output } = await importFile(site, changes);
  expect(output).toBe('0 added, 1 changed, 35 unchanged, 0 skipped\n');
  const after = await stored(site);
  const changed = after.filter(({ version }, at) => version !== before[at]?.version);
  expect(changed.map(({ city }) => city)).toEqual(['LOWER LARKHAVEN']);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('does not overwrite what an administrator has set', async ({ site }) => {
  await importFile(site, SAMPLE_FILE);
  await site.change(
    'employers',
    { source_id: '0000136999' },
    { name: 'Larkhaven Memorial', bed_count: null, curated_fields: ['name', 'bed_count'] },
  );
  const again = await importFile(site, SAMPLE_FILE);
  expect(again.output).toBe('0 added, 0 changed, 36 unchanged, 0 skipped\n');
  await importFile(site, fileOf(sample.replace('849 FICTION', '850 FICTION')));
  const [hospital] = await stored(site);
  expect(hospital).toMatchObject({
    name: 'Larkhaven Memorial',
    bed_count: null,
    address: '850 FICTION STREET, PO BOX 760',
  });
});

test('reports and skips each bad row by line number, and imports the rest', async ({ site }) => {
  const [first = '', second = '', third = ''] = sampleRows;
  const file = fileOf(
    [
      header,
      first,
      first.replace(',AL,', ',ZZ,').replace('0000136999', '0000000001'),
      first.replace(/,Y$/, ''),
      second,
      second,
      first.replace('0000136999', '0000000002').replace('"849', '849'),
      '',
      first.replace('0000136999', ''),
      first.replace('0000136999', '0000000003').replace(/,25,NOT AVAILABLE,Y$/, ',LOTS,,Y'),
      third,
    ].join('\r\n'),
  );
  const { code, output, errors } = await importFile(site, file);
  expect([code, output]).toEqual([1, '4 added, 0 changed, 0 unchanged, 5 skipped\n']);
  expect(errors).toContain("BEDS: 1 unknown, the first is 'LOTS' on line 10\n");
  expect(errors).toMatch(/curbside: correct the skipped rows, and run it again\n$/);
  expect(errors.split('\n').filter((line) => line.includes('skipped:'))).toEqual([
    "line 3 skipped: STATE 'ZZ' is not a state or territory",
    'line 4 skipped: it has 33 columns, not 34',
    'line 6 skipped: ID 0000206099 is already on line 5',
    'line 7 skipped: a quote is not closed',
    'line 9 skipped: ID is empty',
  ]);
  const ids = (await stored(site)).map(({ source_id }) => source_id);
  expect(ids).toEqual(['0000000003', '0000136999', '0000206099', '0000387999']);
});

test('repairs what a spreadsheet damages, and finds the same hospitals again', async ({ site }) => {
  await importFile(site, SAMPLE_FILE);
  const before = await stored(site);
  const damaged = sample
    .replaceAll(/,0+(\d+),(?=[^,]|")/g, ',$1,')
    .replaceAll(/,(\d+),NOT AVAILABLE,([YN])$/gm, ',$1.0,nan,$2')
    .replaceAll(',OPEN,', ',Open,');
  const { code, output, errors } = await importFile(site, fileOf(damaged));
  expect([code, output]).toEqual([0, '0 added, 0 changed, 36 unchanged, 0 skipped\n']);
  expect(errors).toContain("ID: 36 repaired, the first is '136999' on line 2\n");
  expect(errors).toMatch(/ZIP: \d+ repaired, the first is '6099' on line 3\n/);
  expect(errors).toContain('BEDS: ');
  expect(errors).toContain('STATUS: ');
  expect(await stored(site)).toEqual(before);
});

test.for([
  ['CR', '\r'],
  ['CR LF', '\r\n'],
  ['LF', '\n'],
])('imports a file whose lines end in %s', async ([, end], { site }) => {
  const { code, output } = await importFile(site, fileOf([header, ...sampleRows, ''].join(end)));
  expect([code, output]).toEqual([0, '36 added, 0 changed, 0 unchanged, 0 skipped\n']);
});

test.for<[string, string | Buffer, string]>([
  ['empty', '', 'is empty'],
  ['without rows', `${header}\n`, 'has no rows after its first line'],
  ['of another kind', 'ID,NAME\n1,X\n', 'is not the HIFLD hospitals file: its first line lacks'],
  [
    'in Latin-1',
    Buffer.from(sample.slice(1), 'latin1'),
    'is not UTF-8 text (line 4): nothing was imported',
  ],
  ['in UTF-16', Buffer.from(sample, 'utf16le'), 'is not'],
])('one line rejects a file that is %s; nothing changes', async ([, content, reason], { site }) => {
  const file = fileOf(content);
  const { code, output, errors } = await importFile(site, file);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^curbside: .*\n$/);
  expect(errors).toContain(`curbside: ${file} ${reason}`);
  expect(await stored(site)).toEqual([]);
});

test('rejects a missing file, a folder, and a device', async ({ site }) => {
  const files = ['/no/such.csv', '/tmp', '/dev/null'];
  const errors = await Promise.all(
    files.map(async (file) => (await importFile(site, file)).errors),
  );
  expect(errors).toEqual([
    'curbside: /no/such.csv: file not found\n',
    'curbside: /tmp is a folder, not a file\n',
    'curbside: /dev/null is not a file\n',
  ]);
});

/** The first row of the sample many times, each with its own id. */
const manyRows = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    sampleRows[0]?.replace('0000136999', String(at).padStart(10, '0')),
  );

test('when stopped, imports nothing; the next run imports all', async ({ site }) => {
  const file = fileOf([header, ...manyRows(1200)].join('\n'));
  const { code, errors } = await importFile(site, file, { stopAt: '1000 of 1200 lines' });
  expect(code).toBe(1);
  expect(errors).toContain('curbside: stopped: nothing was imported\n');
  expect(await stored(site)).toEqual([]);
  const { output } = await importFile(site, file);
  expect(output).toBe('1200 added, 0 changed, 0 unchanged, 0 skipped\n');
});

test('two simultaneous imports both succeed and import each row once', async ({ site }) => {
  const rows = manyRows(1000);
  const files = [rows, rows.toReversed()].map((all) => fileOf([header, ...all].join('\n')));
  const runs = await Promise.all(files.map((file) => importFile(site, file)));
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(await stored(site)).toHaveLength(1000);
});

test('writes an audit log entry only if something changed', async ({ site }) => {
  await importFile(site, SAMPLE_FILE);
  await importFile(site, SAMPLE_FILE);
  const acts = await site.rows('audit_log');
  expect(acts).toMatchObject([
    { actor: 'cli', action: 'employers.import', subject: 'hifld', details: { added: 36 } },
  ]);
});

test('imports 1,100 hospitals, and changes nothing the second time', async ({ site }) => {
  const count = 1100;
  const file = writeHospitalFile(newFolder(), count);
  const first = await importFile(site, file);
  expect(first.output).toBe(`${count} added, 0 changed, 0 unchanged, 0 skipped\n`);
  const second = await importFile(site, file);
  expect(second.output).toBe(`0 added, 0 changed, ${count} unchanged, 0 skipped\n`);
}, 120_000);

test('imports the whole real file, and changes nothing the second time', async ({ skip, site }) => {
  if (HOSPITALS_FILE === '') skip('HOSPITALS_FILE is not set');
  const first = await importFile(site, HOSPITALS_FILE);
  expect(first.output).toBe('8013 added, 0 changed, 0 unchanged, 0 skipped\n');
  const second = await importFile(site, HOSPITALS_FILE);
  expect(second.output).toBe('0 added, 0 changed, 8013 unchanged, 0 skipped\n');
}, 120_000);
