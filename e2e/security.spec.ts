import { request as rawRequest } from 'node:http';
import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { newEmployer, newReview } from './review.ts';

const MARKUP = `</script><img src=x onerror="document.title='taken over'"><b>bold`;

test('markup in a review is text, on the server and in the browser', async ({ page, server }) => {
  const employer = await newEmployer(server);
  const fields = { review_text: MARKUP, pros: MARKUP, cons: MARKUP, position_title: MARKUP };
  await newReview(server, fields, { at: employer });
  for (const path of [paths.employer(employer.id), paths.reviews({ search: employer.name })]) {
    const html = await (await fetch(server.url + path)).text();
    expect(html).toContain('&lt;img src=x');
    expect(html).not.toContain('<img src=x');
    await openLive(page, path);
    await expect(page.locator('article').getByText('<b>bold').first()).toBeVisible();
    await expect(page).not.toHaveTitle('taken over');
    expect(await page.locator('img[src=x]').count()).toBe(0);
  }
});

/** Sends the path unchanged; fetch would normalize it. */
function statusOf(url: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<number | undefined>((resolve, reject) => {
    const asking = rawRequest(url, { path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on('error', reject).end();
  });
}

test('serves only files of the build, and no directory listings', async ({ server }) => {
  for (const path of [
    '/assets/',
    '/.git/config',
    '/package.json',
    '/server/config.ts',
    '/data/secrets.json',
    '/../package.json',
    '/assets/../../server/index.js',
    '/assets/..%2f..%2fserver%2findex.js',
    '/assets/%2e%2e/%2e%2e/server/index.js',
    '/assets/..%5c..%5cserver%5cindex.js',
    '/assets/%00',
    '//etc/passwd',
    '/api/docs/static/..%2f..%2fpackage.json',
  ]) {
    expect(await statusOf(server.url, path), path).toBeGreaterThan(399);
  }
});

test('takes its own URL from the settings, never from the request', async ({ server }) => {
  const answer = await fetch(`${server.url}${paths.employers()}?page=2`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
  });
  expect(await answer.text()).not.toContain('evil.example');
  const headers = { host: 'evil.example' };
  expect(await statusOf(server.url, `${paths.employers()}?page=3`, headers)).toBe(200);
  const kept = await (await fetch(`${server.url}${paths.employers()}?page=3`)).text();
  expect(kept).not.toContain('evil.example');
});

test('pages, files, and API responses have the protective headers', async ({ server }) => {
  const html = await (await fetch(server.url)).text();
  const [script = ''] = html.match(/\/assets\/[^"]+\.js/) ?? [];
  for (const path of ['/', '/nothing-here', script, '/icon.svg', '/dev/mail', '/api/employers/']) {
    const { headers } = await fetch(server.url + path);
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('strict-transport-security'), path).toContain('includeSubDomains');
    expect(headers.get('referrer-policy'), path).toBe('same-origin');
    expect(headers.get('access-control-allow-origin'), path).toBeNull();
    const policy = headers.get('content-security-policy');
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).toContain("base-uri 'none'");
    expect(headers.get('content-type'), path).toMatch(/charset=utf-8|svg\+xml/i);
  }
});

test('the API documentation has its own policy, for its own files only', async ({ context }) => {
  test.slow();
  // Not the fixture's `page`, because Swagger UI logs that an inline style is blocked.
  const page = await context.newPage();
  const elsewhere: string[] = [];
  page.on('request', (asked) => {
    if (!/^(?:data|blob):/.test(asked.url())) elsewhere.push(new URL(asked.url()).hostname);
  });
  await page.goto('/api/docs/');
  // Shown once its script has run and fetched the document.
  const title = page.getByRole('heading', { name: /^Curbside/ });
  await expect(title).toBeVisible({ timeout: 30_000 });
  expect(new Set(elsewhere)).toEqual(new Set(['localhost']));
});

/** Changes pages as extensions do, before the scripts arrive. */
async function asExtended(page: Page) {
  await page.route(/\/(?!assets|api)[^.]*$/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const html = await response.text();
    const body = html
      .replace(/<footer[\s\S]*?<\/footer>/, '')
      .replace(/<body[^>]*>/, '$&<div id="extension">Coupons</div>');
    await route.fulfill({ response, body });
  });
}

test('a page that an extension changed early is rendered anew', async ({ browser, server }) => {
  // Not the fixture's page, because React logs that it starts again.
  const page = await browser.newPage({ baseURL: server.url });
  await asExtended(page);
  const { id } = await newEmployer(server);
  for (const path of ['/', paths.employers(), paths.employer(id), paths.reviews(), paths.login()]) {
    await openLive(page, path);
    await expect(page.getByRole('banner'), path).toBeVisible();
    await expect(page.getByRole('contentinfo'), path).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
  }
  const written = await page.evaluate(() => {
    document.createElement('div').innerHTML = '<script></script>';
    try {
      document.createElement('div').innerHTML = '<b>bold</b>';
      return 'any text';
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(written).toBe('TypeError');
  await page.close();
});
