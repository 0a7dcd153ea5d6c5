import type { PersonName } from '#contract/person-names.ts';

/** A registry's answer about a number. */
export type RegistryAnswer =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deactivated' }
  | { readonly kind: 'organization'; readonly active: boolean }
  | {
      readonly kind: 'person';
      readonly active: boolean;
      /** The current name first, then former and other names. */
      readonly names: readonly PersonName[];
      /** Codes of the NUCC Health Care Provider Taxonomy. */
      readonly taxonomies: readonly string[];
      /** The practice address; null if it is not a complete US address. */
      readonly practice: PostalAddress | null;
    };

export interface NpiRegistry {
  /** Throws RegistryUnavailable if there is no usable answer. */
  lookUp(npi: string): Promise<RegistryAnswer>;
}

/** No usable response: try again later. It says nothing about the NPI. */
export class RegistryUnavailable extends Error {
  constructor(reason: string) {
    super(`NPI registry: ${reason}`);
    this.name = 'RegistryUnavailable';
  }
}

/** A US address for a letter. */
export interface PostalAddress {
  /** Street lines, at least one. */
  readonly lines: readonly string[];
  readonly city: string;
  /** Two capital letters. */
  readonly state: string;
  /** `12345` or `12345-6789`. */
  readonly postal_code: string;
}

/** An address as returned by a registry. */
interface RegistryAddress {
  readonly lines: readonly (string | null | undefined)[];
  readonly city: string | null | undefined;
  readonly state: string | null | undefined;
  readonly postalCode: string | null | undefined;
  readonly country: string | null | undefined;
}

/** Null if the address is foreign or incomplete. */
export function toPostalAddress(address: RegistryAddress): PostalAddress | null {
  const lines = address.lines.map(plain).filter((line) => line !== '');
  const city = plain(address.city);
  const state = plain(address.state).toUpperCase();
  const postal_code = toPostalCode(plain(address.postalCode));
  const isComplete = lines.length > 0 && city !== '' && /^[A-Z]{2}$/.test(state) && postal_code;
  return plain(address.country) === 'US' && isComplete ? { lines, city, state, postal_code } : null;
}

function plain(text: string | null | undefined): string {
  return (text ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** NPPES writes nine digits without a hyphen, and zeros for unknown last four digits. */
function toPostalCode(text: string): string | null {
  const [, five, four] = /^(\d{5})-?(\d{4})?$/.exec(text) ?? [];
  if (!five) return null;
  return four === undefined || four === '0000' ? five : `${five}-${four}`;
}

export type Profession = 'physician' | 'oral-surgeon' | 'trainee' | 'other';

/** Mostly dentists, some with a medical degree. An administrator decides. */
const ORAL_SURGEON = '204E00000X';

/** Students of every health profession, including residents. */
const TRAINEE = '390200000X';

/** What the NUCC calls allopathic and osteopathic physicians. */
const PHYSICIAN = /^(?:20[2478][0-9A-Z]{6}X|209800000X)$/;

/**
 * The profession for codes of the NUCC Health Care Provider Taxonomy. One physician code is enough,
 * regardless of the other codes.
 */
export function professionOf(codes: readonly string[]): Profession {
  if (codes.some((code) => PHYSICIAN.test(code) && code !== ORAL_SURGEON)) return 'physician';
  if (codes.includes(ORAL_SURGEON)) return 'oral-surgeon';
  return codes.includes(TRAINEE) ? 'trainee' : 'other';
}
