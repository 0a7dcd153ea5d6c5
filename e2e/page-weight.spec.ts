import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

/** Bytes of script, compressed with gzip. */
const LIMITS = [
  ['the landing page', paths.home(), 125_000],
  ['the directory', paths.employers(), 152_000],
  ['an employer', paths.employer(1), 160_000],
  ['the reviews', paths.reviews(), 157_000],
  ['the log-in page', paths.login(), 152_000],
  ['the sign-up page', paths.signup(), 153_000],
  ['the page for a forgotten password', paths.forgotPassword(), 152_000],
  ['the sign-up of a representative', paths.represent({ employer: 1 }), 158_000],
  ['the verification page, signed out', paths.verificationRequired(), 153_000],
] as const;

for (const [name, path, limit] of LIMITS) {
  test(`${name} loads no more script than its limit`, async ({ page, request }) => {
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.url());
    });
    await openLive(page, path);
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
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit);
  });
}

test('scripts load at low priority, after what the page shows first', async ({ request }) => {
  const page = await (await request.get(paths.home())).text();
  const preloads = [...page.matchAll(/<link [^>]*rel="modulepreload"[^>]*>/g)].map(
    ([link]) => link,
  );
  expect(preloads.length).toBeGreaterThan(2);
  for (const link of preloads) expect(link).toContain('fetchpriority="low"');
});
