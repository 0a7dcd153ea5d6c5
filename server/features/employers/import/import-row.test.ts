import { expect, test } from 'vitest';
import { type HospitalFields, READ_COLUMNS, RowError, toHospital } from './import-row.ts';

const UNKNOWN = Object.fromEntries(
  READ_COLUMNS.map((name) => [name, 'NOT AVAILABLE']),
) as HospitalFields;

const hospital = (fields: Partial<HospitalFields>) =>
  toHospital({ ...UNKNOWN, ID: '0000100001', NAME: 'X', STATE: 'TX', ...fields });

test('unknown values are null, and the owner is not specified', () => {
  expect(hospital({ TTL_STAFF: '-999', BEDS: '-999', ZIP: '' })).toEqual({
    source_id: '0000100001',
    name: 'X',
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

test.each<[Partial<HospitalFields>, string]>([
  [{ ID: ' ' }, 'ID is empty'],
  [{ NAME: 'NOT AVAILABLE' }, 'NAME is empty'],
  [{ NAME: 'X'.repeat(201) }, 'NAME is over 200 characters long'],
  [{ NAME: 'X\u0000Y' }, 'NAME has a control character'],
  [{ ADDRESS: 'X'.repeat(301) }, 'ADDRESS is over 300 characters long'],
  [{ STATE: 'ZZ' }, "STATE 'ZZ' is not a state or territory"],
  [{ STATE: 'NOT AVAILABLE' }, 'STATE is empty'],
  [{ ZIP: '6099' }, "ZIP '6099' is not five digits"],
  [{ BEDS: 'MANY' }, "BEDS 'MANY' is not a whole number from 0 to 1000000"],
  [{ BEDS: '-5' }, "BEDS '-5' is not a whole number from 0 to 1000000"],
  [{ TTL_STAFF: '1e9' }, "TTL_STAFF '1e9' is not a whole number from 0 to 1000000"],
  [{ HELIPAD: 'YES' }, "HELIPAD 'YES' is not one of Y, N"],
  [{ STATUS: 'MOVED' }, "STATUS 'MOVED' is not one of OPEN, CLOSED"],
])('rejects %o: %s', (fields, reason) => {
  expect(() => hospital(fields)).toThrow(new RowError(reason));
});
