import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

/** Bytes of script, compressed with gzip. */
const LIMITS = [
  ['the landing page', paths.home(), 125_000],
  ['the directory', paths.employers(), 156_000],
  ['an employer', paths.employer(1), 161_500],
  ['the reviews', paths.reviews(), 157_000],
  ['the log-in page', paths.login(), 153_000],
  ['the sign-up page', paths.signup(), 154_000],
  ['the page for a forgotten password', paths.forgotPassword(), 153_000],
  ['the sign-up of a representative', paths.represent({ employer: 1 }), 158_000],
  ['the verification page, signed out', paths.verificationRequired(), 153_000],
] as const;

test('no page loads more script than its limit', async ({ context, request }) => {
  const opened = [];
  for (const [name, path, limit] of LIMITS) {
    const page = await context.newPage();
    await openLive(page, path);
    opened.push({ name, limit, page });
  }
  const sizes = new Map<string, number>();
  for (const { name, limit, page } of opened) {
    await page.waitForLoadState('networkidle');
    // Also those that came from the cache.
    const scripts = await page.evaluate(() => {
      const urls = performance.getEntriesByType('resource').map(({ name: url }) => url);
      return [...new Set(urls.filter((url) => url.endsWith('.js')))];
    });
    expect(scripts.length, name).toBeGreaterThan(2);
    for (const url of scripts.filter((each) => !sizes.has(each))) {
      const answer = await request.head(url, { headers: { 'accept-encoding': 'gzip' } });
      expect(answer.headers()['content-encoding'], url).toBe('gzip');
      sizes.set(url, Number(answer.headers()['content-length']));
    }
    const total = scripts.reduce((sum, url) => sum + (sizes.get(url) ?? 0), 0);
    // Less would mean that it does not count all.
    expect.soft(total, name).toBeGreaterThan(limit / 2);
    expect.soft(total, name).toBeLessThanOrEqual(limit);
  }
});

test('scripts load after the page has been painted', async ({ page }) => {
  await page.addInitScript(() => requestAnimationFrame(() => performance.mark('painted')));
  for (const path of [paths.home(), paths.employers(), paths.employer(1)]) {
    await openLive(page, path);
    const { painted, started } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('painted')[0]?.startTime,
      started: performance
        .getEntriesByType('resource')
        .filter(({ name: url }) => url.endsWith('.js'))
        .map(({ startTime }) => startTime),
    }));
    expect(started.length, path).toBeGreaterThan(2);
    expect(Math.min(...started), path).toBeGreaterThan(painted ?? Number.POSITIVE_INFINITY);
  }
});

test('coming to life, it loads no formatter of Intl and is not styled anew', async ({ page }) => {
  // Each takes a phone as long as a third of its hydration.
  await page.addInitScript(() => {
    const note = (what: string) => performance.mark(`slow: ${what}`);
    const watch = (owner: object, name: string) => {
      const original = Reflect.get(owner, name);
      Reflect.set(
        owner,
        name,
        new Proxy(original, {
          construct(target, given) {
            note(name);
            return Reflect.construct(target, given);
          },
          apply(target, self, given) {
            note(name);
            return Reflect.apply(target, self, given);
          },
        }),
      );
    };
    for (const name of ['DateTimeFormat', 'NumberFormat', 'PluralRules']) watch(Intl, name);
    for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
      watch(Date.prototype, name);
    watch(Number.prototype, 'toLocaleString');
    new MutationObserver((changes) => {
      if (changes.some(({ target }) => target === document.documentElement)) note('root style');
    }).observe(document, { subtree: true, attributeFilter: ['style'] });
  });
  await openLive(page, paths.employer(1));
  await expect(page.locator('[data-from]')).toBeAttached();
  const marks = await page.evaluate(() =>
    performance.getEntriesByType('mark').map(({ name }) => name),
  );
  expect(marks.filter((name) => name.startsWith('slow: '))).toEqual([]);
});
