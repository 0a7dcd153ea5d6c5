import * as z from 'zod';
import type { PersonName } from '#contract/person-names.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import {
  type NpiRegistry,
  type PostalAddress,
  type RegistryAnswer,
  RegistryUnavailable,
  toPostalAddress,
} from './registry.ts';

/** A response about one number is about 5 kB. */
const MAX_BYTES = 256 * 1024;

/** Queries a registry with CMS's API, at `NPI_REGISTRY_URL`. */
export function httpNpiRegistry(
  baseUrl: string,
  timeoutMs: number = TIME_OUTS.npiRegistry.ms,
): NpiRegistry {
  return {
    async lookUp(npi) {
      const url = new URL(baseUrl);
      url.searchParams.set('version', '2.1');
      url.searchParams.set('number', npi);
      const answer = readNppes(npi, await fetchJson(url, timeoutMs));
      if (!answer) throw new RegistryUnavailable('sent a response in an unknown format');
      return answer;
    },
  };
}

async function fetchJson(url: URL, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      // The NPI is sent over TLS to the configured registry, and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new RegistryUnavailable(`answered ${response.status}`);
    }
    return JSON.parse(await readText(response));
  } catch (error) {
    if (error instanceof RegistryUnavailable) throw error;
    // Errors of fetch contain the URL, which contains the NPI.
    throw new RegistryUnavailable(reasonOf(error));
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new RegistryUnavailable('sent a response that is too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'took too long';
  if (error instanceof SyntaxError) return 'did not send JSON';
  return 'cannot be reached';
}

/** A field that NPPES may omit, set to null, or fill with dashes when empty. */
const text = z
  .string()
  .nullish()
  .transform((value) => (value && !/^-*$/.test(value) ? value : null));

const Name = z.object({ first_name: text, last_name: text });

const Address = z.object({
  address_purpose: text,
  address_1: text,
  address_2: text,
  city: text,
  state: text,
  postal_code: text,
  country_code: text,
});

/** The number that the response is about, if it says so. */
const number = z.coerce.string().optional();

const Person = z.object({
  enumeration_type: z.literal('NPI-1'),
  number,
  basic: Name.extend({ status: z.string() }),
  other_names: z.array(Name).nullish(),
  taxonomies: z.array(z.object({ code: z.string() })).nullish(),
  // The checks do not need an address.
  addresses: z.array(Address).nullish().catch(null),
});

const Organization = z.object({
  enumeration_type: z.literal('NPI-2'),
  number,
  basic: z.object({ status: z.string() }),
});

const Found = z.object({
  result_count: z.literal(1),
  results: z.tuple([z.discriminatedUnion('enumeration_type', [Person, Organization])]),
});
const NothingFound = z.object({ result_count: z.literal(0), results: z.tuple([]).nullish() });
const Refused = z.object({ Errors: z.array(z.object({ description: z.string() })) });

const ACTIVE = 'A';
const DEACTIVATED = /^CMS deactivated NPI\b/i;

/**
 * Parses a response of the CMS NPI registry (https://npiregistry.cms.hhs.gov/api-page, version 2.1)
 * about one number. Null if its format is unknown, or if it is about another number.
 */
function readNppes(npi: string, body: unknown): RegistryAnswer | null {
  if (NothingFound.safeParse(body).success) return { kind: 'unknown' };
  const refused = Refused.safeParse(body);
  if (refused.success) {
    const isDeactivated = refused.data.Errors.some((error) => DEACTIVATED.test(error.description));
    return isDeactivated ? { kind: 'deactivated' } : null;
  }
  const found = Found.safeParse(body);
  if (!found.success) return null;
  const [result] = found.data.results;
  if (result.number !== undefined && result.number !== npi) return null;
  const active = result.basic.status === ACTIVE;
  if (result.enumeration_type === 'NPI-2') return { kind: 'organization', active };
  return {
    kind: 'person',
    active,
    names: [result.basic, ...(result.other_names ?? [])].flatMap(toName),
    taxonomies: (result.taxonomies ?? []).map(({ code }) => code),
    practice: practiceOf(result.addresses ?? []),
  };
}

function toName({ first_name, last_name }: z.infer<typeof Name>): PersonName[] {
  return first_name && last_name ? [{ first: first_name, last: last_name }] : [];
}

function practiceOf(addresses: readonly z.infer<typeof Address>[]): PostalAddress | null {
  const location = addresses.find(({ address_purpose }) => address_purpose === 'LOCATION');
  if (!location) return null;
  const { address_1, address_2, city, state, postal_code, country_code } = location;
  return toPostalAddress({
    lines: [address_1, address_2],
    city,
    state,
    postalCode: postal_code,
    country: country_code,
  });
}
