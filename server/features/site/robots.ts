import { discoveryPaths } from '#contract/discovery.ts';

/**
 * For crawlers (RFC 9309). Pages that must not be indexed say so themselves: a crawler could not
 * see that on a page it may not load. Only URLs that cost a request per employer and show nothing
 * are disallowed.
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
