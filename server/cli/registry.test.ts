import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { AT } from '#server/npi-registry/import/columns.ts';
import { generatedRow } from '#server/npi-registry/testing/generated-rows.ts';
import {
  deactivated,
  HEADER,
  npiOf,
  physician,
  row,
  taxonomies,
} from '#server/npi-registry/testing/nppes-file.ts';
import { zipOf } from '#server/npi-registry/testing/zip-file.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { curbside } from './testing/curbside.ts';

const FULL = 'npidata_pfile_20050523-20261108.csv';
const UPDATE = 'npidata_pfile_20261109-20261115.csv';
const NURSE = taxonomies(['363LF0000X', 'Y']);

/** A file that goes when the test ends. */
function fileOf(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const csv = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;
const full = (...rows: string[]) => fileOf(FULL, csv(...rows));
const update = (...rows: string[]) => fileOf(UPDATE, csv(...rows));
const generated = (count: number) => Array.from({ length: count }, (_, n) => generatedRow(n));

const run = (server: TestApp, ...args: string[]) => curbside(server, ['registry', ...args]);
const importFile = (server: TestApp, file: string, options = {}) =>
  curbside(server, ['registry', 'import', file], options);

const stored = ({ deps }: TestApp) =>
  deps.db.selectFrom('registry_physicians').selectAll().orderBy('npi').execute();
const counts = ({ deps }: TestApp) =>
  deps.db
    .selectFrom('physician_counts')
    .selectAll()
    .orderBy('state')
    .orderBy('city')
    .orderBy('specialty')
    .execute();
const lookUp = ({ deps }: TestApp, n: number) => deps.npiRegistry.lookUp(npiOf(n));

test('a full file comes in: physicians and deactivated numbers, and nobody else', async () => {
  await using server = await buildTestApp();
  const file = full(
    physician(npiOf(1), {
      [AT.suffix]: 'JR.',
      [AT.otherLastName]: 'LEVY',
      [AT.otherFirstName]: 'M',
    }),
    physician(npiOf(2), NURSE),
    row({ [AT.npi]: npiOf(3), [AT.entityType]: '2', 4: 'ST. AGNES' }),
    deactivated(npiOf(4)),
    physician(npiOf(5), { [AT.deactivatedOn]: '01/02/2015', [AT.reactivatedOn]: '03/04/2016' }),
    physician(npiOf(6), { [AT.deactivatedOn]: '01/02/2017', [AT.reactivatedOn]: '03/04/2016' }),
    physician(npiOf(7), { [AT.country]: 'CA', [AT.state]: 'ON' }),
  );
  const { code, output } = await importFile(server, file);
  expect({ code, output }).toEqual({
    code: 0,
    output: '7 rows read, 0 skipped\n3 physicians and 2 deactivated numbers are known\n',
  });
  expect(await stored(server)).toMatchObject([
    {
      npi: Number(npiOf(1)),
      deactivated: false,
      first_name: 'MIRIAM',
      middle_name: 'J',
      last_name: 'ASHWORTH',
      suffix: 'JR.',
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
  expect(await counts(server)).toEqual([
    { state: 'NY', city: 'ROCHESTER', specialty: '207R00000X', physicians: 2 },
  ]);
});

test('from then on a look-up asks nobody outside, whatever the file knows', async () => {
  const asked: string[] = [];
  await using server = await buildTestApp({
    npiRegistry: {
      async lookUp(npi) {
        asked.push(npi);
        return { kind: 'unknown' };
      },
    },
  });
  await lookUp(server, 1);
  expect(asked).toEqual([npiOf(1)]);
  await importFile(server, full(physician(npiOf(1)), deactivated(npiOf(2))));
  expect(await lookUp(server, 1)).toEqual({
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
  expect(await lookUp(server, 2)).toEqual({ kind: 'deactivated' });
  expect(await lookUp(server, 3)).toEqual({ kind: 'unknown' });
  expect(asked).toHaveLength(1);
  const forgotten = await run(server, 'forget');
  expect(forgotten.output).toBe('The registry is forgotten: verification asks localhost:3000.\n');
  await lookUp(server, 1);
  expect(asked).toHaveLength(2);
});

test('an update adds, changes, removes and deactivates, and leaves the rest', async () => {
  await using server = await buildTestApp();
  const first = [1, 2, 3, 4].map((n) => physician(npiOf(n)));
  await importFile(server, full(...first, deactivated(npiOf(5))));
  const weekly = update(
    physician(npiOf(2), { [AT.lastName]: 'LEVY', [AT.city]: 'BUFFALO' }),
    physician(npiOf(3), NURSE),
    deactivated(npiOf(4)),
    physician(npiOf(5), { [AT.deactivatedOn]: '03/01/2020', [AT.reactivatedOn]: '11/10/2026' }),
    physician(npiOf(6)),
  );
  const once = await importFile(server, weekly);
  expect(once.output).toContain('4 physicians and 1 deactivated numbers are known');
  const after = await stored(server);
  expect(after).toMatchObject([
    { npi: Number(npiOf(1)), last_name: 'ASHWORTH' },
    { npi: Number(npiOf(2)), last_name: 'LEVY' },
    { npi: Number(npiOf(4)), deactivated: true },
    { npi: Number(npiOf(5)), deactivated: false },
    { npi: Number(npiOf(6)) },
  ]);
  expect(await lookUp(server, 3)).toEqual({ kind: 'unknown' });
  expect(await counts(server)).toEqual([
    { state: 'NY', city: 'BUFFALO', specialty: '207R00000X', physicians: 1 },
    { state: 'NY', city: 'ROCHESTER', specialty: '207R00000X', physicians: 3 },
  ]);
  await importFile(server, weekly);
  expect(await stored(server)).toEqual(after);
});

test('updates come in their order', async () => {
  await using server = await buildTestApp();
  const early = await importFile(server, update(physician(npiOf(1))));
  expect(early.errors).toBe(
    'curbside: an update needs a registry: import the full monthly file first\n',
  );
  await importFile(server, full(physician(npiOf(1))));
  const late = fileOf('npidata_pfile_20261123-20261129.csv', csv(physician(npiOf(2))));
  const gap = await importFile(server, late);
  expect(gap.errors).toContain('no file covers the days between 2026-11-08 and 2026-11-23');
  const old = await importFile(server, update(physician(npiOf(2), NURSE)));
  expect(old.errors).toContain('the update ends on 2026-11-15, and the registry is of 2026-11-29');
  expect(await stored(server)).toHaveLength(2);
});

test('a file of another name needs to be told what it is', async () => {
  await using server = await buildTestApp();
  const file = fileOf('november.csv', csv(physician(npiOf(1))));
  expect((await importFile(server, file)).errors).toContain('say --full, or --update');
  expect((await run(server, 'import', file, '--full', '--update')).code).toBe(1);
  expect((await run(server, 'import', file, '--full')).code).toBe(0);
});

test('the list of deactivated numbers counts unless a number was activated since', async () => {
  await using server = await buildTestApp();
  const list = fileOf(
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
  expect((await run(server, 'deactivated', list)).errors).toContain('the list needs a registry');
  const reactivated = { [AT.deactivatedOn]: '03/03/2015', [AT.reactivatedOn]: '03/04/2016' };
  const rows = [physician(npiOf(1)), physician(npiOf(2), reactivated), physician(npiOf(3))];
  await importFile(server, full(...rows));
  const { output, errors } = await run(server, 'deactivated', list);
  expect(output).toBe('3 rows read, 2 skipped\n2 physicians and 2 deactivated numbers are known\n');
  expect(errors).toBe(
    'line 6 skipped: it is not a number and a day\nline 7 skipped: it is not a number and a day\n',
  );
  expect(await lookUp(server, 1)).toEqual({ kind: 'deactivated' });
  expect(await lookUp(server, 2)).toMatchObject({ kind: 'person' });
  expect(await lookUp(server, 9)).toEqual({ kind: 'deactivated' });
  expect(await counts(server)).toMatchObject([{ physicians: 2 }]);
});

test.each([
  ['LF', csv(...generated(2000))],
  ['CRLF', csv(...generated(2000)).replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF${csv(...generated(2000))}`],
  ['no line break at the end', csv(...generated(2000)).trimEnd()],
  ['zip', zipOf({ [FULL]: csv(...generated(2000)) })],
  [
    'a zip in its 64-bit form, with other files in it',
    zipOf(
      {
        'NPPES_Data_Dissemination_Readme_v.2.pdf': 'PDF',
        'npidata_pfile_20050523-20261108_fileheader.csv': HEADER,
        'othername_pfile_20050523-20261108.csv': '"NPI"\n',
        [FULL]: csv(...generated(2000)),
      },
      { zip64: true },
    ),
  ],
])('%s makes no difference', async (_what, content) => {
  await using server = await buildTestApp();
  const { output } = await importFile(server, fileOf(FULL, content));
  expect(output).toBe(
    '2000 rows read, 0 skipped\n354 physicians and 115 deactivated numbers are known\n',
  );
  const rows = await stored(server);
  expect(rows.find(({ street }) => street?.[0]?.includes('LODGE'))).toMatchObject({
    first_name: 'MARY "MIMI"',
    street: expect.arrayContaining(['C\\O "THE LODGE", 1 MAIN STREET']),
  });
  const counted = (await counts(server)).reduce((sum, { physicians }) => sum + physicians, 0);
  expect(counted).toBe(rows.filter(({ street }) => street !== null).length);
});

test('each bad row is told by its line and skipped; of many, the first ones', async () => {
  await using server = await buildTestApp();
  const good = physician(npiOf(1));
  const { output, errors } = await importFile(
    server,
    full(
      good,
      good.slice(0, 299),
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
    'line 5 skipped: its first column is no NPI',
    'line 6 skipped: its entity type is none of 1, 2',
    'line 7 skipped: a date in it is not as 11/22/2026',
    'line 8 skipped: column 6 is over 300 characters long',
    ...Array.from(
      { length: 14 },
      (_, n) => `line ${n + 11} skipped: it does not begin and end with a quote`,
    ),
    'and 26 more lines skipped',
  ]);
});

const swapped = HEADER.replace('Provider First Name', 'Provider Last Name (Legal Name)');
const nested = (names: Record<string, string>) => zipOf(names);
test.each<[what: string, content: string | Buffer, reason: string]>([
  ['empty', '', 'is empty'],
  ['of another kind', 'ID,NAME\n1,X\n', 'is not an NPPES file that can be read'],
  ['of other columns', '"NPI","X"\n', 'its first line names 2 columns, not 330'],
  ['in another order', `${swapped}\n`, "column 7 is 'Provider Last Name (Legal Name)', not"],
  ['without a physician', csv(deactivated(npiOf(1))), 'the file has no physician'],
  ['cut off', csv(physician(npiOf(1)), physician(npiOf(2))).slice(0, -50), 'ends in the middle'],
  ['one long line', 'x'.repeat(2_000_000), 'a line of the file is far too long'],
  ['mostly bad', csv(...Array<string>(1200).fill('x')), 'has 1200 bad rows in 1201'],
  ['a zip of nothing', nested({}), 'holds no npidata_pfile_….csv'],
  ['a zip without it', nested({ 'a.csv': HEADER }), 'holds no npidata_pfile_….csv'],
  ['a zip with two', nested({ [FULL]: HEADER, [UPDATE]: HEADER }), 'holds several'],
  ['a zip that leads out', nested({ [`../../${FULL}`]: HEADER }), 'cannot be unpacked'],
  ['cut off in a zip', zipOf({ [FULL]: csv(...generated(50)) }).subarray(0, 900), 'cannot be'],
  ['damaged', zipOf({ [FULL]: csv(physician(npiOf(1))) }, { isDamaged: true }), 'is damaged'],
  ['packed otherwise', zipOf({ [FULL]: HEADER }, { method: 9 }), 'in a way not known here'],
])('a file that is %s is refused in one line; the registry stays', async (_, content, reason) => {
  await using server = await buildTestApp();
  await importFile(server, full(physician(npiOf(1))));
  const before = await stored(server);
  const file = fileOf(FULL, content);
  const { code, output, errors } = await importFile(server, file);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  const told = errors.split('\n').filter((line) => line.startsWith('curbside: '));
  expect(told).toEqual([expect.stringContaining(reason)]);
  expect(errors).not.toContain('    at ');
  expect(await stored(server)).toEqual(before);
});

test('so are a missing file, a folder, a device and a workbook', async () => {
  await using server = await buildTestApp();
  const files = ['/no/such.csv', '/tmp', '/dev/null', '/no/such.xlsx'];
  const errors = await Promise.all(
    files.map(async (file) => (await importFile(server, file)).errors),
  );
  expect(errors).toEqual([
    'curbside: /no/such.csv: there is no such file\n',
    'curbside: /tmp is a folder, not a file\n',
    'curbside: /dev/null is not a file\n',
    'curbside: /no/such.xlsx is a workbook: save its sheet as CSV, and give that\n',
  ]);
});

test('a full file with fewer than half of the physicians is refused, until forgotten', async () => {
  await using server = await buildTestApp();
  await importFile(server, full(...[1, 2, 3].map((n) => physician(npiOf(n)))));
  const small = full(physician(npiOf(1)));
  expect((await importFile(server, small)).errors).toContain(
    'the file has 1 physicians, and the registry 3: nothing was changed',
  );
  expect(await stored(server)).toHaveLength(3);
  await run(server, 'forget');
  expect((await importFile(server, small)).code).toBe(0);
});

/** Three batches of 10,000 lines. */
const LONG = csv(...generated(25_000));

test.each([
  ['csv', LONG],
  ['zip', zipOf({ [FULL]: LONG })],
])(
  'told to stop, it keeps the registry; the next run goes on from there (%s)',
  async (_, content) => {
    await using server = await buildTestApp();
    await importFile(server, full(physician(npiOf(0))));
    const file = fileOf(FULL, content);
    const stopped = await importFile(server, file, { stopAt: ' MB\n' });
    expect(stopped).toMatchObject({ code: 1, output: '' });
    expect(stopped.errors).toContain('curbside: stopped: run it again to go on from there\n');
    expect(await stored(server)).toHaveLength(1);
    expect((await run(server, 'status')).output).toMatch(/begun: npidata.*csv, [1-9]\d % read/);
    const again = await importFile(server, file);
    expect(again.errors).toMatch(/goes on at [1-9]\d* MB, where it was stopped/);
    expect(again.output).toContain('25000 rows read, 1 skipped\n');
    const resumed = [await stored(server), await counts(server)];
    await importFile(server, file);
    expect([await stored(server), await counts(server)]).toEqual(resumed);
    expect((await run(server, 'status')).output).not.toContain('begun');
  },
);

test('a file that changed since it was stopped is read from its beginning', async () => {
  await using server = await buildTestApp();
  const file = fileOf(FULL, LONG);
  await importFile(server, file, { stopAt: ' MB\n' });
  // As long, with the same ends.
  const [head, tail] = [LONG.slice(0, 2_000_000), LONG.slice(-2_000_000)];
  const middle = LONG.slice(2_000_000, -2_000_000).replaceAll('"SMITH"', '"SMYTH"');
  writeFileSync(file, `${head}${middle}${tail}`);
  utimesSync(file, new Date(), new Date(Date.now() + 10_000));
  const again = await importFile(server, file);
  expect(again.errors).not.toContain('goes on');
  expect(again.output).toContain('25000 rows read');
  const once = await stored(server);
  expect(once.some(({ last_name }) => last_name === 'SMYTH')).toBe(true);
  await run(server, 'forget');
  await importFile(server, file);
  expect(await stored(server)).toEqual(once);
});

test('a lost connection is told in one line, and loses nothing', async () => {
  await using server = await buildTestApp();
  const file = fileOf(FULL, LONG);
  const { pool } = server.deps.database;
  const kill = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'copy registry_staging%' and datname = current_database()`;
  const importing = importFile(server, file);
  let killed = 0;
  while (killed === 0) killed = (await kill.execute(server.deps.db)).rows.length;
  const { code, errors } = await importing;
  expect(code).toBe(1);
  expect(errors).toMatch(/^curbside: the database stopped the import: .*\ncurbside: run it again/m);
  expect(errors).not.toContain('    at ');
  const again = await importFile(server, file);
  expect(again.output).toContain('25000 rows read, 1 skipped\n');
  expect(pool.idleCount).toBeGreaterThanOrEqual(0);
});

test('two imports at once: one is refused', async () => {
  await using server = await buildTestApp();
  const lock = await server.deps.database.background.pool.connect();
  await lock.query('select pg_advisory_lock(7346215)');
  const file = full(physician(npiOf(1)));
  const { code, errors } = await importFile(server, file);
  expect({ code, errors }).toEqual({
    code: 1,
    errors: 'curbside: another import is at work: wait until it has ended\n',
  });
  lock.release(true);
  expect((await importFile(server, file)).code).toBe(0);
});

test('whoever looks a number up while files replace each other has one answer or the other', async () => {
  await using server = await buildTestApp();
  const named = (last: string) =>
    full(...[1, 2, 3].map((n) => physician(npiOf(n), { [AT.lastName]: last })));
  const files = [named('BEFORE'), named('AFTER')];
  await importFile(server, files[0] ?? '');
  let isDone = false;
  const names = new Set<string>();
  const reading = (async () => {
    while (!isDone) {
      const answer = await lookUp(server, 2);
      names.add(answer.kind === 'person' ? (answer.names[0]?.last ?? '') : answer.kind);
    }
  })();
  for (let n = 1; n < 10; n += 1) await importFile(server, files[n % 2] ?? '');
  isDone = true;
  await reading;
  expect(names).toEqual(new Set(['BEFORE', 'AFTER']));
});

test('the status tells what is imported, from which files and when', async () => {
  await using server = await buildTestApp();
  const today = new Date().toISOString().slice(0, 10);
  expect((await run(server, 'status')).output).toBe(
    'No registry is imported: verification asks localhost:3000.\n',
  );
  await importFile(server, full(physician(npiOf(1)), 'x', deactivated(npiOf(2))));
  await importFile(server, update(physician(npiOf(3))));
  expect((await run(server, 'status')).output).toBe(
    [
      '2 physicians and 1 deactivated numbers',
      `${today}  full  ${FULL}: 4 lines, 1 skipped`,
      `${today}  update  ${UPDATE}: 2 lines, 0 skipped`,
      '',
    ].join('\n'),
  );
  const acts = await server.deps.db.selectFrom('audit_log').selectAll().execute();
  expect(acts.map(({ action, subject }) => [action, subject])).toEqual(
    expect.arrayContaining([
      ['registry.import', 'full'],
      ['registry.import', 'update'],
    ]),
  );
});

test('looking a number up leaves no mark on disk: all rows are marked as read already', async () => {
  await using server = await buildTestApp();
  await importFile(server, full(...generated(1000)));
  await importFile(server, update(physician(npiOf(1))));
  const { rows } = await sql<{ pages: number; marked: number }>`
    select relpages as pages, relallvisible as marked from pg_class
    where oid = 'registry_physicians'::regclass`.execute(server.deps.db);
  expect(rows[0]?.pages).toBeGreaterThan(0);
  expect(rows[0]?.marked).toBe(rows[0]?.pages);
});
