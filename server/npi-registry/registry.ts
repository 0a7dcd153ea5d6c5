import type { PersonName } from '#contract/person-names.ts';
import type { PostalAddress } from './postal-address.ts';

/** What a registry knows of a number. */
export type RegistryAnswer =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deactivated' }
  | { readonly kind: 'organization'; readonly active: boolean }
  | {
      readonly kind: 'person';
      readonly active: boolean;
      /** The current name first, then former and other ones. */
      readonly names: readonly PersonName[];
      /** Codes of the NUCC Health Care Provider Taxonomy. */
      readonly taxonomies: readonly string[];
      /** Where the person practices; null where that is not a complete US address. */
      readonly practice: PostalAddress | null;
    };

export interface NpiRegistry {
  /** Throws RegistryUnavailable when there is no answer to go by. */
  lookUp(npi: string): Promise<RegistryAnswer>;
}

/** No answer, or none that can be understood: to be asked again later. It says nothing of the NPI. */
export class RegistryUnavailable extends Error {
  constructor(reason: string) {
    super(`NPI registry: ${reason}`);
    this.name = 'RegistryUnavailable';
  }
}
