import { getDomain } from 'tldts';

/**
 * The registrable domain of a host or a URL by the Public Suffix List, private suffixes included;
 * null when it has none: `www.hospital.org` is under `hospital.org`.
 */
export const registrableDomain = (host: string): string | null =>
  getDomain(host, { allowPrivateDomains: true });
