import { createHash } from 'node:crypto';
import type { APIResponse } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { newEmployer, newReview } from './review.ts';

const headersIn = (answer: APIResponse) => {
  const { date: _, 'x-request-id': __, ...headers } = answer.headers();
  return headers;
};

/** The hashes of a page's scripts, as its content security policy should list them. */
async function scriptHashes(page: APIResponse): Promise<string[]> {
  const scripts = (await page.text()).matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]+?)<\/script>/g);
  return Array.from(
    scripts,
    ([, script]) => `'sha256-${createHash('sha256').update(String(script)).digest('base64')}'`,
  );
}

test('a cached page has the same content and policy as the first response', async ({ request }) => {
  const url = `${paths.reviews()}?min_rating=2`;
  const made = await request.get(url);
  const kept = await request.get(url);
  expect(await kept.body()).toEqual(await made.body());
  expect(headersIn(kept)).toEqual(headersIn(made));
  expect(headersIn(made)).toMatchObject({ 'cache-control': 'public, no-cache' });
  const hashes = await scriptHashes(kept);
  expect(hashes.length).toBeGreaterThan(2);
  const policy = kept.headers()['content-security-policy'];
  for (const hash of hashes) expect(policy).toContain(hash);

  const { etag = '' } = kept.headers();
  const unchanged = await request.get(url, { headers: { 'if-none-match': etag } });
  expect(unchanged.status()).toBe(304);
  expect(unchanged.headers()['content-security-policy']).toBe(policy);
  const head = await request.head(url);
  expect(headersIn(head)).toEqual(headersIn(kept));
});

test('a browser runs a cached page under its policy', async ({ page }) => {
  await openLive(page, paths.home());
  await openLive(page, paths.home());
});

test('a new review appears on the pages in the very next response', async ({ server, request }) => {
  // Within a minute, reviews are in random order. Only these lists are sure to show the new one.
  const employer = await newEmployer(server);
  const pages = [paths.employer(employer.id), paths.reviews({ search: employer.name })];
  const all = await request.get(paths.reviews());
  for (const page of pages) await request.get(page);
  const { position_title } = await newReview(server, {}, { at: employer });
  for (const page of pages) {
    expect(await (await request.get(page)).text()).toContain(position_title);
  }
  expect((await request.get(paths.reviews())).headers()['etag']).not.toBe(all.headers()['etag']);
});

test('personal pages and missing pages are never cached', async ({ request }) => {
  for (const path of [
    paths.dashboard(),
    paths.profile(),
    paths.createReview(),
    '/my-reviews',
    '/edit-review/1',
    '/admin/reports',
    '/admin/employers/1',
    '/admin/staff',
    '/admin/log',
    '/admin/security',
    '/password-reset?token=secret&uidb64=secret',
    '/confirm-email?token=secret',
    '/stop-email-change?token=secret',
    '/nothing-here',
    '/dev/mail',
  ]) {
    const answer = await request.get(path);
    expect(answer.headers()['cache-control'], path).toBe('no-store');
    expect(answer.headers(), path).not.toHaveProperty('etag');
  }
});
