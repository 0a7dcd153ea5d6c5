import robotsParser from 'robots-parser';
import { discoveryPaths, INDEXED_PAGES } from '#contract/site/discovery.ts';
import { expect, test } from '#server/testing/site.ts';

// Its types describe an ES module, but it is CommonJS: the function is the module.
const parse = robotsParser as unknown as typeof robotsParser.default;

test('robots.txt opens every public page to crawlers, and names the sitemap', async ({ site }) => {
  const { publicUrl } = site.deps.config;
  const answer = await site.app.inject('/robots.txt');
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('public, max-age=3600');
  const robots = parse(`${publicUrl}/robots.txt`, answer.body);
  expect(robots.getSitemaps()).toEqual([`${publicUrl}/sitemap.xml`]);
  const readable = [
    ...INDEXED_PAGES,
    // These say themselves that they must not be indexed.
    '/reviews?state=TX&page=2',
    '/dashboard',
    '/sitemaps/reviews/2026-11.xml',
    discoveryPaths.employerFeed(1),
    '/assets/style.css',
  ];
  expect(readable.filter((path) => !robots.isAllowed(publicUrl + path, 'Examplebot'))).toEqual([]);
  for (const path of ['/api/reviews/', '/create-review?employer=1']) {
    expect(robots.isDisallowed(publicUrl + path, 'Examplebot'), path).toBe(true);
  }
});
