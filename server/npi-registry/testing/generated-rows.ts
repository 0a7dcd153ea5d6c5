import { AT } from '../import/row.ts';
import { type Cells, deactivated, npiOf, physician, row, taxonomies } from './nppes-file.ts';

const CITIES = ['ROCHESTER', 'HOUSTON', 'SAN JUAN', 'BOISE', 'PORTLAND', 'MOBILE', 'GARY'];
const STATES = ['NY', 'TX', 'PR', 'ID', 'OR', 'AL', 'IN'];
const LAST = ['SMITH', "O'NEILL", 'DE LA CRUZ', 'NGUYEN', 'ST. JOHN', 'MÜLLER', 'VAN DER BERG'];
const FIRST = ['MARY', 'JOHN', 'ANNA-LENA', 'WEI', 'JOSÉ', 'FATIMA', 'OLU'];
const SPECIALTIES = ['207R00000X', '208600000X', '2084P0800X', '207P00000X', '390200000X'];
const NURSE = '363LF0000X';

const pick = (values: readonly string[], n: number) => values[n % values.length] ?? '';

/**
 * The n-th row of a generated file, the same each time. Of ten rows, two are physicians, two or
 * three are organizations, and the rest are nurses. Includes the oddities of the real file.
 */
export function generatedRow(n: number): string {
  const npi = npiOf(n);
  if (n % 20_011 === 20_010) return row({ [AT.npi]: npi }).slice(0, 500);
  if (n % 23 === 22) return deactivated(npi);
  switch (n % 10) {
    case 0:
    case 5:
      return physician(npi, { ...details(n), ...oddity(n) });
    case 1:
    case 6:
      return row({ ...details(n), [AT.npi]: npi, [AT.entityType]: '2', 4: `CLINIC ${n}` });
    default:
      return physician(npi, { ...details(n), ...taxonomies([NURSE, 'Y']) });
  }
}

/** The remaining columns of a typical row. */
const details = (n: number): Cells => ({
  [AT.lastName]: pick(LAST, n >> 1),
  [AT.firstName]: pick(FIRST, n >> 3),
  ...{
    7: n % 3 ? 'B' : '',
    8: 'DR.',
    10: 'M.D.',
    20: `${n % 9000} MAIN STREET`,
    22: pick(CITIES, n),
  },
  ...{ 23: pick(STATES, n), 24: '146420001', 25: 'US', 26: '5555550100', 27: '5555550101' },
  [AT.line1]: `${n % 9000} MAIN STREET`,
  [AT.line2]: n % 4 ? '' : `SUITE ${n % 300}`,
  [AT.city]: pick(CITIES, n),
  [AT.state]: pick(STATES, n),
  [AT.postalCode]: String(100_000_000 + (n % 800_000_000)),
  ...{ 34: '5555550102', 36: '05/23/2005', 37: '07/08/2020', 41: n % 2 ? 'F' : 'M' },
  ...taxonomies([pick(SPECIALTIES, n >> 2), 'Y']),
  ...{ 48: `LIC${n}`, 49: pick(STATES, n), 107: String(n), 108: '05', 109: pick(STATES, n) },
  ...{ 307: 'N', 329: '07/08/2020' },
});

function oddity(n: number): Cells {
  switch ((n / 5) % 13) {
    case 1:
      return { [AT.otherLastName]: 'FORMER', [AT.otherFirstName]: 'MARY', 19: '1' };
    case 2:
      return taxonomies([NURSE, 'Y'], ['208000000X', 'N']);
    case 3:
      return taxonomies(...Array(14).fill([NURSE, 'N']), ['207R00000X', 'Y']);
    case 4:
      return { [AT.country]: 'CA', [AT.state]: 'ON', [AT.postalCode]: 'M5V 2T6' };
    case 5:
      return { [AT.deactivatedOn]: '01/02/2015', [AT.reactivatedOn]: '03/04/2016' };
    case 6:
      return { [AT.deactivatedOn]: '01/02/2017', [AT.reactivatedOn]: '03/04/2016' };
    case 7:
      return { [AT.firstName]: 'MARY ""MIMI""', [AT.line1]: 'C\\O "THE LODGE", 1 MAIN STREET' };
    case 8:
      return { [AT.line1]: '', [AT.postalCode]: '' };
    case 9:
      return { 9: 'JR.', 7: '-', [AT.country]: '' };
    default:
      return {};
  }
}
