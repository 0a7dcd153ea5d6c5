import { beforeEach, expect, test } from 'vitest';
import { type Fields, RowError } from './import-values.ts';
import { READ_COLUMNS, toHospital } from './sources.ts';

const UNKNOWN = Object.fromEntries(READ_COLUMNS.map((name) => [name, 'NOT AVAILABLE']));

const noted: unknown[][] = [];
beforeEach(() => noted.splice(0));
const hospital = (fields: Fields) =>
  toHospital({ ...UNKNOWN, ID: '0000100001', NAME: 'X', STATE: 'TX', ...fields }, (...note) =>
    noted.push(note),
  );

test('unknown values are null, and the owner is not specified', () => {
  expect(hospital({ TTL_STAFF: '-999', BEDS: '-999', ZIP: '' })).toEqual({
    source_id: '0000100001',
    name: 'X',
    alt_name: null,
    address: null,
    city: null,
    state: 'TX',
    zip: null,
    phone: null,
    website: null,
    specialty: null,
    ownership_type: 'Not Specified',
    bed_count: null,
    staff_count: null,
    trauma_level: null,
    has_helipad: null,
    hospital_status: null,
  });
});

test.each([
  ['GENERAL ACUTE CARE', 'General Acute Care'],
  ['CRITICAL ACCESS', 'Critical Access'],
  ['PSYCHIATRIC', 'Psychiatric'],
  ['REHABILITATION', 'Rehabilitation'],
  ['LONG TERM CARE', 'Long-Term Care'],
  ['MILITARY', 'Military'],
  ['SPECIAL', 'Specialty'],
  ['CHILDREN', "Children's"],
  ['WOMEN', "Women's"],
  ['CHRONIC DISEASE', 'Chronic Disease'],
])('shows TYPE %s as %s', (TYPE, specialty) => {
  expect(hospital({ TYPE }).specialty).toBe(specialty);
});

test.each([
  ['NON-PROFIT', 'Non-Profit'],
  ['PROPRIETARY', 'Proprietary'],
  ['GOVERNMENT - LOCAL', 'Government - Local'],
  ['GOVERNMENT - DISTRICT/AUTHORITY', 'Government - District/Authority'],
  ['GOVERNMENT - FEDERAL', 'Government - Federal'],
  ['GOVERNMENT - STATE', 'Government - State'],
])('shows OWNER %s as %s', (OWNER, ownership_type) => {
  expect(hospital({ OWNER })).toMatchObject({ ownership_type });
});

test.each([
  ['http://www.x.example', 'http://www.x.example'],
  ['HTTPS://X.EXAMPLE/A?b=c', 'HTTPS://X.EXAMPLE/A?b=c'],
  ['www.x.example', null],
  ['javascript:alert(1)', null],
  ['ftp://x.example/', null],
  ['http://x.example/our page.aspx', null],
  ['http://x.example/"><script>', null],
  ['http://user:secret@x.example/', null],
  ['http://localhost/', null],
  ['http:x.example', null],
])('WEBSITE %s becomes %s', (WEBSITE, website) => {
  expect(hospital({ WEBSITE }).website).toBe(website);
});

test.each([
  ['(334) 555-0100', '(334) 555-0100'],
  ['(334)555-0100', '(334) 555-0100'],
  ['1-334-555-0100', '(334) 555-0100'],
  ['555-0100', null],
])('TELEPHONE %s becomes %s', (TELEPHONE, phone) => {
  expect(hospital({ TELEPHONE }).phone).toBe(phone);
});

test.each<[Fields, string]>([
  [{ ID: ' ' }, 'ID is empty'],
  [{ NAME: 'NOT AVAILABLE' }, 'NAME is empty'],
  [{ NAME: 'X'.repeat(201) }, 'NAME is over 200 characters long'],
  [{ NAME: 'X\u0000Y' }, 'NAME has a control character'],
  [{ STATE: 'ZZ' }, "STATE 'ZZ' is not a state or territory"],
  [{ STATE: 'NOT AVAILABLE' }, 'STATE is empty'],
])('rejects %o: %s', (fields, reason) => {
  expect(() => hospital(fields)).toThrow(new RowError(reason));
});

test.each<[Fields, object]>([
  [{ ID: '136999' }, { source_id: '0000136999' }],
  [{ ID: '136999.0' }, { source_id: '0000136999' }],
  [{ ID: 'NEW-1' }, { source_id: 'NEW-1' }],
  [{ STATE: 'tx' }, { state: 'TX' }],
  [{ ZIP: '3820' }, { zip: '03820' }],
  [{ ZIP: '601.0' }, { zip: '00601' }],
  [{ ZIP: '38201234' }, { zip: '03820-1234' }],
  [{ ZIP: '3820-1234' }, { zip: '03820-1234' }],
  [{ BEDS: '25.0' }, { bed_count: 25 }],
  [{ TTL_STAFF: '1,250' }, { staff_count: 1250 }],
  [{ STATUS: 'Open' }, { hospital_status: 'Open' }],
  [{ HELIPAD: 'y' }, { has_helipad: true }],
  [{ ADDRESS: '1 MAIN\nSUITE 2' }, { address: '1 MAIN SUITE 2' }],
])('repairs %o, and reports it', (fields, repaired) => {
  expect(hospital(fields)).toMatchObject(repaired);
  const [[column, text] = []] = Object.entries(fields);
  expect(noted).toEqual(text === 'NEW-1' ? [] : [[column, text, 'repaired']]);
});

test.each<[Fields, keyof ReturnType<typeof hospital>]>([
  [{ ADDRESS: 'X'.repeat(301) }, 'address'],
  [{ CITY: 'nan' }, 'city'],
  [{ ZIP: '12' }, 'zip'],
  [{ ZIP: 'K1A 0B1' }, 'zip'],
  [{ TELEPHONE: '555-0100' }, 'phone'],
  [{ WEBSITE: 'www.x.example' }, 'website'],
  [{ BEDS: 'MANY' }, 'bed_count'],
  [{ BEDS: '-5' }, 'bed_count'],
  [{ BEDS: 'nan' }, 'bed_count'],
  [{ BEDS: '25.5' }, 'bed_count'],
  [{ TTL_STAFF: '1e9' }, 'staff_count'],
  [{ TTL_STAFF: '-999.0' }, 'staff_count'],
  [{ HELIPAD: 'MAYBE' }, 'has_helipad'],
  [{ STATUS: 'MOVED' }, 'hospital_status'],
])('an optional value never rejects a row: %o is unknown, and reported', (fields, fact) => {
  expect(hospital(fields)[fact]).toBeNull();
  const [[column, text] = []] = Object.entries(fields);
  expect(noted).toEqual([[column, text, 'unknown']]);
});
