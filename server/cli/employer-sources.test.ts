import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { newFile } from '#server/testing/folder.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';

/** Each test begins without employers. */
const test = testWith();
test.beforeEach(async ({ site }) => {
  const tables = [
    'employer_identifiers',
    'cases',
    'reviews',
    'employers',
    'employer_imports',
  ] as const;
  for (const table of tables) await site.deps.db.deleteFrom(table).execute();
});

type Row = Readonly<Record<string, string>>;

const CMS: Row = {
  'Facility ID': '010001',
  'Facility Name': 'LARKHAVEN MED CTR',
  Address: '1 FICTION STREET',
  'City/Town': 'LARKHAVEN',
  State: 'AL',
  'ZIP Code': '36999',
  'County/Parish': 'SAMPLE',
  'Telephone Number': '(200) 555-0100',
  'Hospital Type': 'Acute Care Hospitals',
  'Hospital Ownership': 'Voluntary non-profit - Church',
  'Emergency Services': 'Yes',
  'Hospital overall rating': '4',
};
const SECOND: Row = {
  ...CMS,
  'Facility ID': '01001F',
  'Facility Name': 'SALTMARSH HOSPITAL, THE',
  Address: '2 FICTION AVENUE',
  'Telephone Number': '(200) 555-0199',
  'Hospital overall rating': 'Not Available',
};
const HIFLD: Row = {
  ID: '0000136999',
  NAME: 'LARKHAVEN MEDICAL CENTER',
  ADDRESS: '1 FICTION ST, PO BOX 9',
  CITY: 'LARKHAVEN',
  STATE: 'AL',
  ZIP: '36999',
  TELEPHONE: '(200) 555-0111',
  TYPE: 'GENERAL ACUTE CARE',
  STATUS: 'OPEN',
  WEBSITE: 'http://www.larkhaven.example',
  OWNER: 'NON-PROFIT',
  TTL_STAFF: '-999',
  BEDS: '25',
  TRAUMA: 'LEVEL II',
  HELIPAD: 'Y',
  ALT_NAME: 'LARKHAVEN GENERAL',
};
const REPORT: Row = {
  'Provider CCN': '10001',
  'Hospital Name': 'LARKHAVEN',
  'Street Address': '1 FICTION',
  City: 'LARKHAVEN',
  'State Code': 'AL',
  'Zip Code': '36999-',
  'CCN Facility Type': 'STH',
  'Fiscal Year Begin Date': '01/01/2021',
  'Fiscal Year End Date': '12/31/2021',
  'FTE - Employees on Payroll': '412.4',
  'Number of Interns and Residents (FTE)': '30.6',
  'Number of Beds': '110',
};

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
function csv(rows: readonly Row[], end = '\n'): string {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return lines.map((cells) => cells.map(quoted).join(',')).join(end);
}

/** Imports rows as a file of that date. */
const load = (site: Site, rows: readonly Row[], day: string, ...flags: string[]) =>
  curbside(site, ['employers', 'import', newFile('f.csv', csv(rows)), '--date', day, ...flags]);

const employers = ({ deps }: Site) =>
  deps.db.selectFrom('employers').selectAll().orderBy('id').execute();

async function briefOf(site: Site, id: number) {
  return (await site.visitor().get(employerEndpoints.insights, at(String(id)))).body;
}

const renamed = (columns: Row) =>
  Object.fromEntries(Object.entries(CMS).map(([name, cell]) => [columns[name] ?? name, cell]));

test.for<[string, Row, string, string]>([
  ['of 2026', CMS, '\n', 'utf8'],
  [
    'of 2018, with a byte order mark and CR LF',
    {
      ...renamed({
        'Facility ID': 'Provider ID',
        'Facility Name': 'Hospital Name',
        'City/Town': 'City',
        'Telephone Number': 'Phone Number',
      }),
      'Provider ID': '10001',
      'Emergency Services': 'TRUE',
      'Phone Number': '2005550100',
    },
    '\r\n',
    'utf8',
  ],
  ['in the Western encoding', { ...CMS, 'County/Parish': 'DO\u00D1A' }, '\n', 'latin1'],
])('a CMS file %s is recognized by its header', async ([, row, end, encoding], { site }) => {
  const mark = end === '\n' ? '' : '\uFEFF';
  const content = Buffer.from(mark + csv([row], end), encoding as 'utf8' | 'latin1');
  const { code, output } = await curbside(site, [
    ...['employers', 'import', newFile('cms-2026-02.csv', content)],
  ]);
  expect([code, output]).toEqual([0, '1 added, 0 changed, 0 unchanged, 0 skipped\n']);
  const [employer] = await employers(site);
  expect(employer).toMatchObject({
    name: 'LARKHAVEN MEDICAL CENTER',
    aliases: ['LARKHAVEN MED CTR'],
    phone: '(200) 555-0100',
    zip: '36999',
    specialty: 'General Acute Care',
    ownership_type: 'Non-Profit - Church',
    hospital_status: 'Open',
    employer_type: 'hospital',
  });
  const { sources } = await briefOf(site, employer?.id ?? 0);
  expect(sources).toMatchObject([
    {
      source: 'cms',
      as_of: '2026-02-01',
      gone_on: null,
      facts: { cms_stars: 4, has_emergency: true },
    },
  ]);
});

test('a renamed, moved hospital keeps its page; a closed one says since when', async ({ site }) => {
  await load(site, [CMS, SECOND], '2025-07-01');
  const before = await employers(site);
  const id = before[0]?.id ?? 0;
  const moved = {
    ...CMS,
    'Facility Name': 'HARBOR HOSPITAL',
    Address: '9 NEW ROAD',
    'Hospital Type': 'Star',
  };
  const { output, errors } = await load(site, [moved], '2026-02-01', '--force');
  expect(output).toBe('0 added, 2 changed, 0 unchanged, 0 skipped\n');
  expect(errors).toContain(`1 renamed: 010001 LARKHAVEN MED CTR -> HARBOR HOSPITAL
1 with another address: 010001 1 FICTION STREET -> 9 NEW ROAD
1 of another kind: 010001 General Acute Care -> Star
1 no longer in the file: 01001F THE SALTMARSH HOSPITAL
`);
  expect(errors).toContain("Hospital Type: 1 unknown, the first is 'Star' on line 2");
  const after = await employers(site);
  expect(after.map((one) => one.id)).toEqual(before.map((one) => one.id));
  expect(after[0]).toMatchObject({
    name: 'HARBOR HOSPITAL',
    address: '9 NEW ROAD',
    specialty: 'Star',
  });
  // People still search for the old name.
  expect(after[0]?.aliases).toContain('LARKHAVEN MEDICAL CENTER');
  expect((await briefOf(site, id)).sources[0]?.gone_on).toBeNull();
  expect((await briefOf(site, after[1]?.id ?? 0)).sources).toMatchObject([
    { as_of: '2025-07-01', gone_on: '2026-02-01' },
  ]);
  const back = await load(site, [moved, SECOND], '2026-03-01');
  expect(back.errors).toContain('1 in the file again: 01001F THE SALTMARSH HOSPITAL');
  expect(await employers(site)).toHaveLength(2);
});

test('a file that differs too much, or an older one, changes nothing', async ({ site }) => {
  const many = Array.from({ length: 30 }, (_, n) => ({
    ...CMS,
    'Facility ID': String(20_000 + n).padStart(6, '0'),
    'Facility Name': `HOSPITAL ${n}`,
    Address: `${n} ROAD`,
  }));
  await load(site, many, '2026-01-01');
  const before = await employers(site);
  for (const [rows, day, reason] of [
    [
      many.slice(2),
      '2026-02-01',
      'it has 28 rows, and the last file of CMS Hospital General Information had 30',
    ],
    [
      many.map((row) => ({ ...row, 'Facility Name': `${row['Facility Name']} II` })),
      '2026-02-01',
      'it renames 30 of 30',
    ],
    [
      many,
      '2025-12-01',
      'a newer file of CMS Hospital General Information was imported before, of 2026-01-01',
    ],
  ] as const) {
    const { code, errors } = await load(site, rows, day);
    expect([code, errors.includes(`curbside: ${reason}`)]).toEqual([1, true]);
  }
  const damaged = many.map((row) => ({
    ...row,
    'Facility ID': String(Number(row['Facility ID'])),
  }));
  const same = await load(site, damaged, '2026-01-01');
  expect(same.output).toBe('0 added, 0 changed, 30 unchanged, 0 skipped\n');
  expect(await employers(site)).toEqual(before);
});

/** The date of an imported file of this name. */
async function dateOf(site: Site, name: string, rows: readonly Row[]) {
  const args = ['employers', 'import', newFile(name, csv(rows)), '--dry-run', '--json'];
  const { output, errors } = await curbside(site, args);
  return output === '' ? errors : JSON.parse(output).asOf;
}

test.for([
  ['general-2025.csv', '2025-01-01'],
  ['general_2026-02.csv', '2026-02-01'],
  ['general-2026-02-28.csv', '2026-02-28'],
  ['general-2025-q1.csv', '2025-03-01'],
  ['general-2025-q4-cut.csv', '2025-12-01'],
  ['General.DATA.Q4_2025.csv', '2025-12-01'],
  ['general-2025-02-30.csv', 'curbside: 2025-02-30 is not a day, such as 2026-02-28\n'],
] as const)('the name %s says the date %s', async ([name, date], { site }) => {
  expect(await dateOf(site, name, [CMS])).toBe(date);
});

test('a file whose name says no date has that of its newest row or its last change', async ({
  site,
}) => {
  const dated = { ...HIFLD, SOURCEDATE: '2021/10/19 00:00:00+00', VAL_DATE: 'NOT AVAILABLE' };
  const newest = { ...dated, ID: '2', VAL_DATE: '2022/05/02 00:00:00+00' };
  expect(await dateOf(site, 'hospitals.csv', [dated, newest, dated])).toBe('2022-05-02');
  const today = () => new Date().toISOString().slice(0, 10);
  for (const row of [CMS, HIFLD]) {
    const before = today();
    const day = await dateOf(site, 'hospitals.csv', [row]);
    expect([before, today()]).toContain(day);
  }
});

test('a file of an earlier quarter is refused', async ({ site }) => {
  const importQuarter = (name: string) =>
    curbside(site, ['employers', 'import', newFile(name, csv([CMS]))]);
  expect((await importQuarter('general-2025-q4.csv')).code).toBe(0);
  const { code, errors } = await importQuarter('general-2025-q1.csv');
  const error =
    'a newer file of CMS Hospital General Information was imported before, of 2025-12-01';
  expect([code, errors]).toEqual([1, expect.stringContaining(`curbside: ${error}\n`)]);
});

test('a row without a certification number is reported and skipped', async ({ site }) => {
  const numbers = ['N/A', '12345678', '1.0E+05', 'ABC', 'ABCDEF', '10001', '01014F', '01S001'];
  const rows = numbers.map((id) => ({ ...CMS, 'Facility ID': id }));
  const { code, output, errors } = await load(site, rows, '2026-02-01');
  expect([code, output]).toEqual([1, '3 added, 0 changed, 0 unchanged, 5 skipped\n']);
  for (const [at, id] of numbers.slice(0, 5).entries()) {
    expect(errors).toContain(`line ${at + 2} skipped: Facility ID '${id}' is not a number of this`);
  }
  const ids = (await employers(site)).map(({ source_id }) => source_id);
  expect(ids.toSorted()).toEqual(['010001', '01014F', '01S001']);
});

test('the longest cost report counts, and adds only what the CMS list lacks', async ({ site }) => {
  await load(site, [CMS], '2026-02-01');
  const short = {
    ...REPORT,
    'Fiscal Year Begin Date': '10/01/2021',
    'Number of Beds': '7',
  };
  const longTerm = {
    ...REPORT,
    'Provider CCN': '12001',
    'Hospital Name': 'QUIET',
    City: 'QUIET',
    'CCN Facility Type': 'LTCH',
  };
  const other = { ...REPORT, 'Provider CCN': '13001', 'Hospital Name': 'OTHER', City: 'OTHER' };
  const rows = [short, REPORT, short, longTerm, other];
  const { output, errors } = await load(site, rows, '2021-01-01');
  expect(output).toBe('1 added, 1 changed, 0 unchanged, 0 skipped\n');
  expect(errors).toContain(`1 left out: CMS Hospital Cost Report adds no employers
`);
  const [first, second] = await employers(site);
  expect(first).toMatchObject({
    name: 'LARKHAVEN MEDICAL CENTER',
    bed_count: 110,
    staff_count: 412,
  });
  expect(second).toMatchObject({ name: 'QUIET', specialty: 'Long-Term Care', zip: '36999' });
  const { sources } = await briefOf(site, first?.id ?? 0);
  expect(sources.map(({ source, facts }) => [source, facts['resident_count']])).toEqual([
    ['cms', undefined],
    ['cost_report', 31],
  ]);
});

test('Provider of Services knows beds best, and which hospitals have ended', async ({ site }) => {
  await load(site, [CMS, SECOND], '2026-02-01');
  await load(site, [REPORT], '2021-01-01');
  const pos: Row = {
    PRVDR_CTGRY_CD: '01',
    PRVDR_NUM: '010001',
    BED_CNT: '120.0',
    MDCL_SCHL_AFLTN_CD: '1.0',
  };
  const cut = await load(
    site,
    [pos, { ...pos, PRVDR_NUM: '019999' }, { ...pos, PRVDR_CTGRY_CD: '21' }],
    '2025-12-31',
  );
  expect(cut.output).toContain('0 added, 1 changed');
  const named = {
    FAC_NAME: 'X',
    ST_ADR: '3 WAY',
    CITY_NAME: 'Y',
    STATE_CD: 'AL',
    ZIP_CD: '36111',
    PHNE_NUM: '',
  };
  const full = { ...pos, ...named, PGM_TRMNTN_CD: '00', SKLTN_REC_SW: 'N' };
  const { output } = await load(
    site,
    [
      full,
      { ...full, PRVDR_NUM: '01001F', PGM_TRMNTN_CD: '01' },
      { ...full, PRVDR_NUM: '018888' },
      { ...full, PRVDR_NUM: '017777', PGM_TRMNTN_CD: '04' },
      { ...full, PRVDR_NUM: '016666', SKLTN_REC_SW: 'Y' },
    ],
    '2026-01-31',
  );
  expect(output).toContain('1 added, 2 changed');
  const found = (await employers(site)).map(({ source_id, bed_count, hospital_status }) => [
    source_id,
    bed_count,
    hospital_status,
  ]);
  expect(found).toEqual([
    ['010001', 120, 'Open'],
    ['01001F', 120, 'Closed'],
    ['018888', 120, null],
  ]);
});

test('rows of another file are linked if two facts agree, a case if one', async ({ site }) => {
  await load(site, [CMS, SECOND], '2026-02-01');
  const doubtful = {
    ...HIFLD,
    ID: '2',
    NAME: 'ANOTHER NAME',
    ADDRESS: '2 FICTION AVE',
    TELEPHONE: '',
  };
  const separate = { ...HIFLD, ID: '3', NAME: 'REHAB OF X', ALT_NAME: '', TELEPHONE: '' };
  const twin = {
    ...HIFLD,
    ID: '4',
    NAME: 'THE LARKHAVEN MEDICAL CENTER',
    ADDRESS: '1 FICTION STREET',
  };
  const { output, errors } = await load(site, [HIFLD, doubtful, separate, twin], '2025-08-26');
  expect(output).toBe('3 added, 1 changed, 0 unchanged, 0 skipped\n');
  expect(errors).toContain(`1 are employers of other files
2 in doubt, as cases in the office: perhaps the same as: THE SALTMARSH HOSPITAL; LARKHAVEN MEDICAL CENTER
`);
  const [first] = await employers(site);
  expect(first).toMatchObject({
    name: 'LARKHAVEN MEDICAL CENTER',
    address: '1 FICTION STREET',
    bed_count: 25,
    trauma_level: 'Level II',
    has_helipad: true,
    website: 'http://www.larkhaven.example',
    ownership_type: 'Non-Profit - Church',
  });
  expect(first?.aliases).toEqual(['LARKHAVEN GENERAL', 'LARKHAVEN MED CTR']);
  const search = { query: { search: 'larkhaven general' } };
  const { results } = (await site.visitor().get(employerEndpoints.list, search)).body;
  expect(results[0]?.id).toBe(first?.id);
  const cases = await site.rows('cases', {}, ['employer_id']);
  const added = (await employers(site)).slice(2).map(({ id }) => id);
  expect(cases.map((one) => one.employer_id).toSorted()).toEqual([added[0], added[2]].toSorted());
  const again = await load(site, [HIFLD, doubtful, separate, twin], '2025-08-26');
  expect(again.output).toBe('0 added, 0 changed, 4 unchanged, 0 skipped\n');
});

test('two numbers under one roof never merge; like names are a case', async ({ site }) => {
  await load(site, [CMS], '2025-07-01');
  const converted = { ...CMS, 'Facility ID': '011308' };
  const children = { ...CMS, 'Facility ID': '013302', 'Facility Name': 'RAINBOW CHILDREN' };
  const { output } = await load(site, [CMS, converted, children], '2026-02-01');
  expect(output).toContain('2 added, 0 changed, 1 unchanged');
  const [, second] = await employers(site);
  const cases = await site.rows('cases', {}, ['kind', 'employer_id']);
  expect(cases).toEqual([{ kind: 'employer', employer_id: second?.id }]);
});

test('what a curator set outranks every file', async ({ site }) => {
  await load(site, [CMS], '2025-07-01');
  const [{ id } = { id: 0 }] = await employers(site);
  const curator = site.as(await site.admin(['curator']));
  await curator.patch(employerEndpoints.curate, { name: 'Larkhaven by the Sea' }, at(id));
  await load(
    site,
    [{ ...CMS, 'Facility Name': 'HARBOR', Address: '7 ROAD' }],
    '2026-02-01',
    '--force',
  );
  expect((await employers(site))[0]).toMatchObject({
    name: 'Larkhaven by the Sea',
    address: '7 ROAD',
  });
});

test('a dry run says what would change, also as JSON, and changes nothing', async ({ site }) => {
  await load(site, [CMS], '2025-07-01');
  const before = await employers(site);
  const rows = [{ ...CMS, Address: '9 NEW ROAD' }, SECOND];
  const text = await load(site, rows, '2026-02-01', '--dry-run');
  expect(text.output).toContain('1 added, 1 changed, 0 unchanged, 0 skipped\n');
  expect(text.output).toMatch(/Nothing was changed\.\n$/);
  const json = await load(site, rows, '2026-02-01', '--dry-run', '--json');
  expect(JSON.parse(json.output)).toMatchObject({
    dry_run: true,
    added: 1,
    changes: { moved: { count: 1, examples: ['010001 1 FICTION STREET -> 9 NEW ROAD'] } },
  });
  expect(await employers(site)).toEqual(before);
});

test('undoing the newest import restores facts and removes what is unused', async ({ site }) => {
  await load(site, [CMS], '2025-07-01');
  const before = await employers(site);
  const rows = [
    { ...CMS, 'Facility Name': 'HARBOR', Address: '9 NEW ROAD' },
    SECOND,
    { ...SECOND, 'Facility ID': '010003', 'Facility Name': 'THIRD', Address: '3 LANE' },
  ];
  const { errors } = await load(site, rows, '2026-02-01', '--force');
  const run = /import (\d+), of 2026-02-01/.exec(errors)?.[1] ?? '';
  const third = (await employers(site)).find(({ name }) => name === 'THIRD');
  await site.review({ at: third?.id ?? 0 });
  const older = await curbside(site, ['employers', 'import', '--undo', String(Number(run) - 1)]);
  expect(older).toMatchObject({
    code: 1,
    errors: `curbside: undo import ${run} first, which is newer\n`,
  });

  const { code, output } = await curbside(site, ['employers', 'import', '--undo', run]);
  expect([code, output]).toEqual([0, `1 removed, 1 restored, 1 kept\nkept: ${third?.id} THIRD\n`]);
  const after = await employers(site);
  expect(after.map(({ id }) => id)).toEqual([before[0]?.id, third?.id]);
  expect(after[0]).toMatchObject({ name: 'LARKHAVEN MEDICAL CENTER', address: '1 FICTION STREET' });
  const twice = await curbside(site, ['employers', 'import', '--undo', run]);
  expect(twice.errors).toBe(`curbside: import ${run} was undone before\n`);
  // What was undone can be imported again, and finds the employer that stayed.
  const again = await load(site, rows, '2026-02-01', '--force');
  expect(again.output).toContain('added, 1 changed');
  expect((await employers(site)).map(({ id }) => id)).toContain(third?.id);
  expect(await employers(site)).toHaveLength(3);
});
