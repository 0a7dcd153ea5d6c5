import { getDomain } from 'tldts';

/**
 * The registrable domain of a host or URL by the Public Suffix List, including private suffixes:
 * `hospital.org` for `www.hospital.org`. Null if there is none.
 */
export const registrableDomain = (host: string): string | null =>
  getDomain(host, { allowPrivateDomains: true });
