import * as z from 'zod';
import { hasValidCheckDigit } from '#contract/doctors.ts';
import registry from '#server/demo/data/registry.json' with { type: 'json' };

const Entry = z.object({
  number: z.string().refine(hasValidCheckDigit, 'wrong check digit'),
  kind: z.enum(['physician', 'trainee', 'not-a-physician', 'deactivated', 'organization']),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  organization_name: z.string().nullable(),
  credential: z.string().nullable(),
  state: z.string(),
  city: z.string(),
  taxonomy_code: z.string(),
  taxonomy_desc: z.string(),
  other_names: z.array(
    z.object({ type: z.string(), first_name: z.string(), last_name: z.string() }),
  ),
});
type Entry = z.infer<typeof Entry>;

const entries = new Map(
  z
    .array(Entry)
    .parse(registry)
    .map((entry) => [entry.number, entry]),
);

/** Lists the fictional clinicians, for use in sign-ups. */
export function listSample() {
  return [...entries.values()].map(({ number, first_name, last_name, state, kind }) => ({
    number,
    first_name,
    last_name,
    state,
    kind,
  }));
}

/**
 * Answers a query for a number like the CMS NPI registry
 * (https://npiregistry.cms.hhs.gov/api-page).
 */
export function answerNppes(version: string | undefined, number: string | undefined) {
  if (version !== '2.1') return refusal('version', '19', 'Unsupported Version');
  if (number === undefined) {
    return refusal('', '04', 'No valid search criteria specified');
  }
  if (!/^\d{10}$/.test(number)) return refusal('number', '06', 'NPI must be 10 digits');
  const entry = entries.get(number);
  if (!entry) return { result_count: 0, results: [] };
  if (entry.kind === 'deactivated') {
    const sorry =
      'The provider can no longer use this NPI. Our public registry does not display provider information about NPIs that are not in service.';
    return refusal('number', '15', `CMS deactivated NPI ${number}. ${sorry}`);
  }
  return { result_count: 1, results: [toResult(entry)] };
}

const refusal = (field: string, number: string, description: string) => ({
  Errors: [{ description, field, number }],
});

/** All entries are fictional and have the same date. */
const ENUMERATED = '2020-01-15';
const EPOCH_MS = String(Date.parse(ENUMERATED));

function toResult(entry: Entry) {
  const dates = {
    enumeration_date: ENUMERATED,
    last_updated: ENUMERATED,
    certification_date: ENUMERATED,
    status: 'A',
  };
  const isOrganization = entry.kind === 'organization';
  return {
    created_epoch: EPOCH_MS,
    enumeration_type: isOrganization ? 'NPI-2' : 'NPI-1',
    last_updated_epoch: EPOCH_MS,
    number: entry.number,
    addresses: ['LOCATION', 'MAILING'].map((purpose) => addressOf(entry, purpose)),
    practiceLocations: [],
    basic: isOrganization
      ? { organization_name: upper(entry.organization_name), ...dates }
      : {
          first_name: upper(entry.first_name),
          last_name: upper(entry.last_name),
          credential: entry.credential,
          sole_proprietor: 'NO',
          ...dates,
        },
    taxonomies: [
      {
        code: entry.taxonomy_code,
        taxonomy_group: '',
        desc: entry.taxonomy_desc,
        state: entry.state,
        license: null,
        primary: true,
      },
    ],
    identifiers: [],
    endpoints: [],
    other_names: entry.other_names.map(({ type, first_name, last_name }) => ({
      type,
      code: '1',
      first_name: upper(first_name),
      last_name: upper(last_name),
    })),
  };
}

function addressOf({ city, state }: Entry, purpose: string) {
  return {
    country_code: 'US',
    country_name: 'United States',
    address_purpose: purpose,
    address_type: 'DOM',
    address_1: '1 SAMPLE STREET',
    city: upper(city),
    state,
    postal_code: '000000000',
    telephone_number: '555-555-0100',
  };
}

/** NPPES stores names in capitals and without accents. */
function upper(name: string | null): string | null {
  return name === null ? null : name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
}
