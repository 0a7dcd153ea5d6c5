import { expect, test } from 'vitest';
import { buildApp, createApp } from '#server/app.ts';
import { buildTestApp, TEST_CONFIG } from '#server/testing/app.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import type { Metrics } from './metrics.ts';
import { countRequests, isOpen } from './open-routes.ts';

test('only these routes are counted at once', async () => {
  await using server = await buildTestApp();
  const app = createApp(server.deps.config, () => {});
  const open = new Set<string>();
  app.addHook('onRoute', (route) => {
    if (isOpen(route)) open.add(route.url);
  });
  await buildApp(app, { deps: server.deps, pageSource: pagesOf() });
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
      "/employers/:id/preview.png",
      "/feeds/employers/:id",
      "/feeds/reviews",
      "/guidelines",
      "/how-it-works",
      "/preview.png",
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

test.each([
  ['a write', { method: 'POST', config: { access: 'public', madeFrom: [] } }],
  ['what needs an account', { method: 'GET', config: { access: 'signed-in', madeFrom: [] } }],
  ['what depends on the caller', { method: 'GET', config: { access: 'public' } }],
  [
    'what leads to an act',
    { method: 'GET', config: { access: 'public', madeFrom: [], precedesActs: true } },
  ],
  [
    'a write beside a read',
    { method: ['GET', 'POST'], config: { access: 'public', madeFrom: [] } },
  ],
  ['what declares nothing', { method: 'GET' }],
] as const)('%s is counted by the day', (_what, route) => {
  expect(isOpen(route as never)).toBe(false);
});

test('how many found reviews not helpful is not counted apart', () => {
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
