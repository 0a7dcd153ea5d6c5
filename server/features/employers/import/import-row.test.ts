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

test.each<[Fields, object]>([
  [{ TYPE: 'GENERAL ACUTE CARE' }, { specialty: 'General Acute Care' }],
  [{ TYPE: 'CRITICAL ACCESS' }, { specialty: 'Critical Access' }],
  [{ TYPE: 'PSYCHIATRIC' }, { specialty: 'Psychiatric' }],
  [{ TYPE: 'REHABILITATION' }, { specialty: 'Rehabilitation' }],
  [{ TYPE: 'LONG TERM CARE' }, { specialty: 'Long-Term Care' }],
  [{ TYPE: 'MILITARY' }, { specialty: 'Military' }],
  [{ TYPE: 'SPECIAL' }, { specialty: 'Specialty' }],
  [{ TYPE: 'CHILDREN' }, { specialty: "Children's" }],
  [{ TYPE: 'WOMEN' }, { specialty: "Women's" }],
  [{ TYPE: 'CHRONIC DISEASE' }, { specialty: 'Chronic Disease' }],
  [{ OWNER: 'NON-PROFIT' }, { ownership_type: 'Non-Profit' }],
  [{ OWNER: 'PROPRIETARY' }, { ownership_type: 'Proprietary' }],
  [{ OWNER: 'GOVERNMENT - LOCAL' }, { ownership_type: 'Government - Local' }],
  [
    { OWNER: 'GOVERNMENT - DISTRICT/AUTHORITY' },
    { ownership_type: 'Government - District/Authority' },
  ],
  [{ OWNER: 'GOVERNMENT - FEDERAL' }, { ownership_type: 'Government - Federal' }],
  [{ OWNER: 'GOVERNMENT - STATE' }, { ownership_type: 'Government - State' }],
  [{ WEBSITE: 'http://www.x.example' }, { website: 'http://www.x.example' }],
  [{ WEBSITE: 'HTTPS://X.EXAMPLE/A?b=c' }, { website: 'HTTPS://X.EXAMPLE/A?b=c' }],
  [{ WEBSITE: 'www.x.example' }, { website: null }],
  [{ WEBSITE: 'javascript:alert(1)' }, { website: null }],
  [{ WEBSITE: 'ftp://x.example/' }, { website: null }],
  [{ WEBSITE: 'http://x.example/our page.aspx' }, { website: null }],
  [{ WEBSITE: 'http://x.example/"><script>' }, { website: null }],
  [{ WEBSITE: 'http://user:secret@x.example/' }, { website: null }],
  [{ WEBSITE: 'http://localhost/' }, { website: null }],
  [{ WEBSITE: 'http:x.example' }, { website: null }],
  [{ TELEPHONE: '(334) 555-0100' }, { phone: '(334) 555-0100' }],
  [{ TELEPHONE: '(334)555-0100' }, { phone: '(334) 555-0100' }],
  [{ TELEPHONE: '1-334-555-0100' }, { phone: '(334) 555-0100' }],
  [{ TELEPHONE: '555-0100' }, { phone: null }],
])('shows %o as %o', (fields, shown) => {
  expect(hospital(fields)).toMatchObject(shown);
});

test.each<[Fields, string]>([
  [{ ID: ' ' }, 'ID is empty'],
  [{ ID: 'N/A' }, "ID 'N/A' is not a number of this file"],
  [{ ID: '1.0E+05' }, "ID '1.0E+05' is not a number of this file"],
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
