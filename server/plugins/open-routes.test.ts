import { buildApp } from '#server/app.ts';
import { createApp } from '#server/http/create-app.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { expect, test } from '#server/testing/site.ts';
import { countRequests, isOpen } from './open-routes.ts';

test('only these routes are counted immediately', async ({ site: { deps } }) => {
  const app = createApp(deps.config, () => {});
  const open = new Set<string>();
  app.addHook('onRoute', (route) => {
    if (isOpen(route)) open.add(route.url);
  });
  await buildApp(app, { deps, pageSource: pagesOf() });
  expect([...open].toSorted()).toMatchInlineSnapshot(`
    [
      "/",
      "/api/employers/",
      "/api/employers/:id/",
      "/api/employers/:id/insights/",
      "/api/employers/:id/reviews/",
      "/api/employers/compare/",
      "/api/employers/filter_options/",
      "/api/reviews/",
      "/api/reviews/:id/",
      "/api/reviews/filter_options/",
      "/api/suggestions/",
      "/api/transparency/",
      "/compare",
      "/employers",
      "/employers/:employerId",
      "/feeds/employers/:id",
      "/feeds/reviews",
      "/guidelines",
      "/how-it-works",
      "/privacy-policy",
      "/reviews",
      "/reviews/:reviewId",
      "/sitemap.xml",
      "/sitemaps/employers/:part.xml",
      "/sitemaps/pages.xml",
      "/sitemaps/reviews/:period.xml",
      "/terms-of-use",
      "/transparency",
    ]
  `);
});

const OPEN = { access: 'public', madeFrom: [] } as const;
test.each([
  ['a write', { method: 'POST', config: OPEN }],
  ['a route for accounts', { method: 'GET', config: { ...OPEN, access: 'signed-in' } }],
  ['a route that depends on the caller', { method: 'GET', config: { access: 'public' } }],
  ['a route that precedes an action', { method: 'GET', config: { ...OPEN, precedesActs: true } }],
  ['a read or write', { method: ['GET', 'POST'], config: OPEN }],
  ['a route that declares nothing', { method: 'GET' }],
] as const)('%s is counted by day', (_what, route) => {
  expect(isOpen(route as never)).toBe(false);
});

test('"not helpful" votes are not counted separately', () => {
  const counted: unknown[] = [];
  const metrics = { countByDay: (_name: string, labels: object) => counted.push(labels) };
  const app = createApp(TEST_CONFIG, () => {});
  const onAnswer = countRequests(app, metrics as unknown as Metrics);
  for (const vote of ['helpful', 'not-helpful']) {
    onAnswer({ method: 'POST', route: `/api/reviews/:id/${vote}/`, status: 200, ms: 1 });
  }
  const both = { method: 'POST', route: '/api/reviews/:id/helpful/', status: '2xx' };
  expect(counted).toEqual([both, both]);
});
