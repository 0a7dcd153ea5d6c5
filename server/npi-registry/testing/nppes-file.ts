import { AT, EXPECTED, TAXONOMY_STEP, WIDTH } from '../import/row.ts';

/** Column index -> value. All other columns are empty. */
export type Cells = Record<number, string>;

export const row = (cells: Cells): string =>
  `"${Array.from({ length: WIDTH }, (_, at) => cells[at] ?? '').join('","')}"`;

const NAMES = Array.from({ length: WIDTH }, (_, at) => EXPECTED.get(at) ?? `Column ${at}`);
export const HEADER = row({ ...NAMES });

/** A physician in Rochester, NY, with a test's changes. */
export const physician = (npi: string, cells: Cells = {}): string =>
  row({
    [AT.npi]: npi,
    [AT.entityType]: '1',
    [AT.lastName]: 'ASHWORTH',
    [AT.firstName]: 'MIRIAM',
    [AT.line1]: '601 ELMWOOD AVE',
    [AT.city]: 'ROCHESTER',
    [AT.state]: 'NY',
    [AT.postalCode]: '146420001',
    [AT.country]: 'US',
    ...taxonomies(['207R00000X', 'Y']),
    ...cells,
  });

/** Taxonomy columns, each with its primary switch. */
export function taxonomies(...codes: (readonly [code: string, primary: 'Y' | 'N'])[]): Cells {
  return Object.fromEntries(
    codes.flatMap(([code, primary], n) => [
      [AT.taxonomy + TAXONOMY_STEP * n, code],
      [AT.isPrimary + TAXONOMY_STEP * n, primary],
    ]),
  );
}

/** A row of a deactivated number. CMS leaves its other columns empty. */
export const deactivated = (npi: string, on = '03/01/2020'): string =>
  row({ [AT.npi]: npi, [AT.deactivatedOn]: on });

/** The n-th number with a valid check digit (CMS, "NPI Check Digit"). */
export function npiOf(n: number): string {
  const digits = String(100_000_000 + n);
  let sum = 24;
  for (let at = 0; at < 9; at += 1) {
    const digit = digits.charCodeAt(at) - 48;
    // Starting from the last of the nine digits, every second digit is doubled.
    const doubled = at % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
