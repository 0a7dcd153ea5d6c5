import { OperatorError } from '#server/errors/operator-error.ts';

/** Number of columns in the file (CMS, "NPPES Data Dissemination", file layout of version 2). */
export const WIDTH = 330;
/** Maximum number of taxonomies in a row. Their columns repeat, four at a time. */
export const TAXONOMIES = 15;
export const TAXONOMY_STEP = 4;

/** Zero-based indexes of the columns that are read. */
export const AT = {
  npi: 0,
  entityType: 1,
  lastName: 5,
  firstName: 6,
  middleName: 7,
  suffix: 9,
  otherLastName: 13,
  otherFirstName: 14,
  otherMiddleName: 15,
  otherSuffix: 17,
  line1: 28,
  line2: 29,
  city: 30,
  state: 31,
  postalCode: 32,
  country: 33,
  deactivatedOn: 39,
  reactivatedOn: 40,
  taxonomy: 47,
  isPrimary: 50,
} as const;

const PRACTICE = 'Provider Business Practice Location Address';

/** The names of these columns in the header. */
const HEADINGS: Record<keyof typeof AT, string> = {
  npi: 'NPI',
  entityType: 'Entity Type Code',
  lastName: 'Provider Last Name (Legal Name)',
  firstName: 'Provider First Name',
  middleName: 'Provider Middle Name',
  suffix: 'Provider Name Suffix Text',
  otherLastName: 'Provider Other Last Name',
  otherFirstName: 'Provider Other First Name',
  otherMiddleName: 'Provider Other Middle Name',
  otherSuffix: 'Provider Other Name Suffix Text',
  line1: 'Provider First Line Business Practice Location Address',
  line2: 'Provider Second Line Business Practice Location Address',
  city: `${PRACTICE} City Name`,
  state: `${PRACTICE} State Name`,
  postalCode: `${PRACTICE} Postal Code`,
  country: `${PRACTICE} Country Code (If outside U.S.)`,
  deactivatedOn: 'NPI Deactivation Date',
  reactivatedOn: 'NPI Reactivation Date',
  taxonomy: 'Healthcare Provider Taxonomy Code_1',
  isPrimary: 'Healthcare Provider Primary Taxonomy Switch_1',
};
const LAST_TAXONOMY = AT.taxonomy + TAXONOMY_STEP * (TAXONOMIES - 1);

/** Expected names of the columns that are read. Tests build headers from it. */
export const EXPECTED: ReadonlyMap<number, string> = new Map([
  ...Object.entries(AT).map(([name, at]) => [at, HEADINGS[name as keyof typeof AT]] as const),
  [LAST_TAXONOMY, `Healthcare Provider Taxonomy Code_${TAXONOMIES}`],
]);

/** @throws OperatorError if the file is not from NPPES, or has other columns */
export function checkHeader(file: string, header: string): void {
  const error = headerErrorOf(splitRow(header.replace(/^\uFEFF/, '')));
  if (error) throw new OperatorError(`${file} is not a readable NPPES file: ${error}`);
}

function headerErrorOf(names: readonly string[] | null): string | null {
  if (!names) return 'its first line is not a row of quoted names';
  if (names.length !== WIDTH) return `its first line has ${names.length} columns, not ${WIDTH}`;
  for (const [at, expected] of EXPECTED) {
    const found = names[at]?.trim() ?? '';
    if (found.toLowerCase() !== expected.toLowerCase()) {
      return `column ${at + 1} is '${found.slice(0, 80)}', not '${expected}'`;
    }
  }
  return null;
}

/**
 * The values of a row; null if it does not begin and end with a quote. All values are quoted and
 * none contains `","`, so splitting is many times faster than a CSV parser.
 */
export function splitRow(row: string): string[] | null {
  const isQuoted = row.length > 1 && row.startsWith('"') && row.endsWith('"');
  return isQuoted ? row.slice(1, -1).split('","') : null;
}
