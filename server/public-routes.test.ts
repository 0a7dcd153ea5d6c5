import { sql } from 'kysely';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { reviewOf, type TestAccount } from '#server/testing/factories.ts';
import { expect, newSite, type Site, testWith } from '#server/testing/site.ts';
import { TOPICS } from './db/topics.ts';

const test = testWith();

/** Two employers, a review of the first, and accounts that may change them. */
async function sceneAt(site: Site) {
  const [author, admin] = [await site.doctor(), await site.admin()];
  const [employer, other] = [await site.employer(), await site.employer()];
  const write = (
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    { headers }: TestAccount,
    payload?: object,
  ) => site.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  const { id, created_at } = await site.review({ by: author, at: employer });
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
  return { site, author, admin, employer, other, write, review: `/reviews/${id}/`, urls };
}
type Scene = Awaited<ReturnType<typeof sceneAt>>;

/** All changes to public data. Each one starts from the result of the previous one. */
const CHANGES: Record<string, (scene: Scene) => Promise<{ statusCode: number }>> = {
  'a review': ({ write, author, other }) => write('POST', '/reviews/', author, reviewOf(other)),
  'a vote': async ({ site, write, review }) =>
    write('POST', `${review}helpful/`, await site.doctor()),
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
const answersOf = ({ app }: TestApp, { urls }: Scene) =>
  Promise.all(
    urls.map(async (url) => {
      const { statusCode, rawPayload } = await app.inject(url);
      return [url, statusCode, statusCode === 200 ? rawPayload.toString('base64') : null];
    }),
  );

test('the next response shows a change, even before the database announces it', async () => {
  const site = await newSite();
  const scene = await sceneAt(site);
  for (const table of ['employers', 'reviews', 'review_votes']) {
    await sql`drop trigger changed on ${sql.table(table)}`.execute(site.deps.db);
  }
  for (const [what, change] of Object.entries(CHANGES)) {
    const before = await answersOf(site, scene);
    expect((await change(scene)).statusCode, what).toBeLessThan(300);
    const after = await answersOf(site, scene);
    expect(after, what).not.toEqual(before);
    site.deps.cache.changed(TOPICS);
    expect(await answersOf(site, scene), what).toEqual(after);
  }
});

test('responses of every other server soon show the change', async () => {
  const site = await newSite();
  const scene = await sceneAt(site);
  await using elsewhere = await buildTestApp({ beside: site });
  // Some responses name the day.
  elsewhere.time.now = site.time.now;
  for (const [what, change] of Object.entries(CHANGES)) {
    await answersOf(elsewhere, scene);
    await change(scene);
    const after = await answersOf(site, scene);
    await expect.poll(() => answersOf(elsewhere, scene), { message: what }).toEqual(after);
  }
});

test('everyone gets the same bytes, signed in or not', async ({ site }) => {
  const { author, urls } = await sceneAt(site);
  const headers = { ...author.headers, cookie: 'csrftoken=abc', 'accept-language': 'de' };
  for (const url of urls) {
    const alone = await site.app.inject(url);
    site.deps.cache.changed(TOPICS);
    const signedIn = await site.app.inject({ url, headers });
    expect(alone.headers['cache-control'], url).toBe('public, no-cache');
    expect(signedIn.headers.etag, url).toBe(alone.headers.etag);
    expect(signedIn.rawPayload, url).toEqual(alone.rawPayload);
    expect(signedIn.headers, url).not.toHaveProperty('set-cookie');
  }
});

test('no other response may be cached', async ({ site }) => {
  const { headers } = await site.admin();
  const documented = (await site.app.inject('/api/docs/json')).json<{
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
    '/api/reviews/',
    '/api/employers/{id}/reviews/',
    '/api/reviews/filter_options/',
    '/api/reviews/{id}/',
    '/api/position-titles/',
    '/api/physician-counts/',
    '/api/suggestions/',
    '/api/transparency/',
  ]);
  const others = gets.filter(({ isKept }) => !isKept).map(({ path }) => path);
  for (const url of [...others, '/healthz', '/readyz', '/api/csrf/', '/api/docs/', '/nothing']) {
    const answer = await site.app.inject({ url, headers });
    expect(answer.headers['cache-control'], url).toMatch(/^no-store(, no-transform)?$/);
    expect(answer.headers, url).not.toHaveProperty('etag');
  }
});
