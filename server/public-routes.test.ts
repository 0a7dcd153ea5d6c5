import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Review } from '#contract/reviews.ts';
import { TOPICS } from '#server/cache/topics.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

/** A server with two employers, a review of the first, and accounts that may change them. */
async function buildSite() {
  const server = await buildTestApp();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const [author, admin] = [await signedInDoctor(server), await signedInAdmin(server)];
  const [employer, other] = [await newEmployer(server), await newEmployer(server)];
  const write = (
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    { headers }: TestAccount,
    payload?: object,
  ) => server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  const posted = await write('POST', '/reviews/', author, reviewOf(employer));
  const { id, created_at } = posted.json<Review>();
  /** The routes with cached responses, as visitors request them. */
  const urls = [
    '/api/employers/',
    '/api/employers/?search=hospital&ordering=-total_reviews',
    '/api/employers/filter_options/',
    `/api/employers/compare/?ids=${employer},${other}`,
    '/api/employers/mail_domain/?domain=hospital.org',
    `/api/employers/${employer}/`,
    `/api/employers/${employer}/insights/`,
    `/api/employers/${employer}/reviews/`,
    '/api/reviews/',
    '/api/reviews/?search=colleagues&min_rating=2',
    '/api/reviews/filter_options/',
    `/api/reviews/${id}/`,
    '/api/position-titles/?search=night',
    '/api/suggestions/?search=colleagues',
    '/api/physician-counts/?state=IL',
    '/api/transparency/',
    '/sitemap.xml',
    '/sitemaps/pages.xml',
    '/sitemaps/employers/1.xml',
    `/sitemaps/reviews/${created_at.slice(0, 7)}.xml`,
    '/feeds/reviews',
    '/feeds/reviews?state=IL&min_rating=2',
    `/feeds/employers/${employer}`,
  ];
  return { server, author, admin, employer, other, write, review: `/reviews/${id}/`, urls };
}
type Site = Awaited<ReturnType<typeof buildSite>>;

/** All changes to public data. Each one starts from the result of the previous one. */
const CHANGES: Record<string, (site: Site) => Promise<{ statusCode: number }>> = {
  'a review': ({ write, author, other }) => write('POST', '/reviews/', author, reviewOf(other)),
  'a vote': async ({ server, write, review }) =>
    write('POST', `${review}helpful/`, await signedInDoctor(server)),
  'an edit': ({ write, author, employer, review }) =>
    write('PATCH', review, author, reviewOf(employer, { overall_rating: 1 })),
  'a new employer': ({ write, author }) =>
    write('POST', '/employers/custom/', author, { name: 'A Hospital' }),
  'a new name': ({ write, admin, employer }) =>
    write('PATCH', `/admin/employers/${employer}/`, admin, { name: 'Renamed Hospital' }),
  'a removal by a moderator': ({ write, admin, review }) =>
    write('POST', `/admin${review}remove/`, admin, { reason: 'Not a review' }),
  'a review put back': ({ write, admin, review }) =>
    write('POST', `/admin${review}restore/`, admin),
  'a deletion': ({ write, author, review }) => write('DELETE', review, author),
  'a merger': ({ write, admin, employer, other }) =>
    write('POST', `/admin/employers/${employer}/merge/`, admin, { into: other }),
};

/** A server's current responses. Errors are compared by status only, because each has its own id. */
const answersOf = ({ app }: TestApp, { urls }: Site) =>
  Promise.all(
    urls.map(async (url) => {
      const { statusCode, rawPayload } = await app.inject(url);
      return [url, statusCode, statusCode === 200 ? rawPayload.toString('base64') : null];
    }),
  );

test('the next response shows a change, even before the database announces it', async () => {
  const site = await buildSite();
  const { server } = site;
  for (const table of ['employers', 'reviews', 'review_votes']) {
    await sql`drop trigger changed on ${sql.table(table)}`.execute(server.deps.db);
  }
  for (const [what, change] of Object.entries(CHANGES)) {
    const before = await answersOf(server, site);
    expect((await change(site)).statusCode, what).toBeLessThan(300);
    const after = await answersOf(server, site);
    expect(after, what).not.toEqual(before);
    server.deps.cache.changed(TOPICS);
    expect(await answersOf(server, site), what).toEqual(after);
  }
});

test('responses of every other server soon show the change', async () => {
  const site = await buildSite();
  await using elsewhere = await buildTestApp({ beside: site.server });
  for (const [what, change] of Object.entries(CHANGES)) {
    await answersOf(elsewhere, site);
    await change(site);
    const after = await answersOf(site.server, site);
    await expect.poll(() => answersOf(elsewhere, site), { message: what }).toEqual(after);
  }
});

test('everyone gets the same bytes, signed in or not', async () => {
  const { server, author, urls } = await buildSite();
  const headers = { ...author.headers, cookie: 'csrftoken=abc', 'accept-language': 'de' };
  for (const url of urls) {
    const alone = await server.app.inject(url);
    server.deps.cache.changed(TOPICS);
    const signedIn = await server.app.inject({ url, headers });
    expect(alone.headers['cache-control'], url).toBe('public, no-cache');
    expect(signedIn.headers.etag, url).toBe(alone.headers.etag);
    expect(signedIn.rawPayload, url).toEqual(alone.rawPayload);
    expect(signedIn.headers, url).not.toHaveProperty('set-cookie');
  }
});

test('no other response may be cached', async () => {
  const { server, admin } = await buildSite();
  const documented = (await server.app.inject('/api/docs/json')).json<{
    paths: Record<string, { get?: { responses: object } }>;
  }>();
  const gets = Object.entries(documented.paths).flatMap(([path, { get }]) =>
    get ? [{ path, isKept: '304' in get.responses }] : [],
  );
  expect(gets.filter(({ isKept }) => isKept).map(({ path }) => path)).toEqual([
    '/api/employers/',
    '/api/employers/filter_options/',
    '/api/employers/compare/',
    '/api/employers/mail_domain/',
    '/api/employers/{id}/',
    '/api/employers/{id}/insights/',
    '/api/employers/{id}/reviews/',
    '/api/reviews/',
    '/api/reviews/filter_options/',
    '/api/reviews/{id}/',
    '/api/position-titles/',
    '/api/physician-counts/',
    '/api/suggestions/',
    '/api/transparency/',
  ]);
  const others = gets.filter(({ isKept }) => !isKept).map(({ path }) => path);
  const { headers } = admin;
  for (const url of [...others, '/healthz', '/readyz', '/api/csrf/', '/api/docs/', '/nothing']) {
    const answer = await server.app.inject({ url, headers });
    expect(answer.headers['cache-control'], url).toBe('no-store');
    expect(answer.headers, url).not.toHaveProperty('etag');
  }
});
