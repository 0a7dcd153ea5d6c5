import type { PersonName } from '#contract/person-names.ts';
import type { PostalAddress } from './postal-address.ts';

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

/** No answer, or an unreadable one: ask again later. It says nothing about the NPI. */
export class RegistryUnavailable extends Error {
  constructor(reason: string) {
    super(`NPI registry: ${reason}`);
    this.name = 'RegistryUnavailable';
  }
}
