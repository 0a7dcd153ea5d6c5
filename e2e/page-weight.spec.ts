import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

const LANDING_SCRIPT_BYTES = 125_000;

test('the landing page loads no more script than its limit', async ({ page, request }) => {
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.url());
  });
  await openLive(page, paths.home());
  await page.waitForLoadState('networkidle');
  const headers = { 'accept-encoding': 'gzip' };
  const sizes = await Promise.all(
    scripts.map(async (url) => {
      const answer = await request.head(url, { headers });
      expect(answer.headers()['content-encoding'], url).toBe('gzip');
      return Number(answer.headers()['content-length']);
    }),
  );
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LANDING_SCRIPT_BYTES);
});

test('scripts leave the network to what the page shows first', async ({ request }) => {
  const page = await (await request.get(paths.home())).text();
  const preloads = [...page.matchAll(/<link [^>]*rel="modulepreload"[^>]*>/g)].map(
    ([link]) => link,
  );
  expect(preloads.length).toBeGreaterThan(2);
  for (const link of preloads) expect(link).toContain('fetchpriority="low"');
});
