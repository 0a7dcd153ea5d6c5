import { discoveryPaths } from '#contract/discovery.ts';

/**
 * For crawlers (RFC 9309). Pages that must not be listed say so themselves: a crawler would not read
 * that on a page it may not load. Disallowed is what costs a request for each employer and shows
 * nothing.
 */
export const robotsTxt = (publicUrl: string): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /create-review',
    '',
    `Sitemap: ${publicUrl}${discoveryPaths.sitemap}`,
    '',
  ].join('\n');
