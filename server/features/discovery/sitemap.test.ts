import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { INDEXED_PAGES, isPattern } from '#contract/discovery.ts';
import { PAGE_QUERIES } from '#contract/page-queries.ts';
import type { Review } from '#contract/reviews.ts';
import { TOPICS } from '#server/cache/topics.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInAdmin, signedInDoctor } from '#server/testing/factories.ts';
import { reviewFiles } from './sitemap.ts';
import { loadSitemap, loadXml } from './testing/parsed.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

async function buildSite() {
  const server = await buildTestApp({ config: { publicUrl: 'https://curbside.example' } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  /** A published review, as of a time. */
  const post = async (employer: number, createdAt: string): Promise<string> => {
    const { headers } = await signedInDoctor(server);
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/reviews/',
      headers,
      payload: reviewOf(employer),
    });
    const { id } = answer.json<Review>();
    await sql`update reviews set created_at = ${createdAt} where id = ${id}`.execute(
      server.deps.db,
    );
    server.deps.cache.changed(TOPICS);
    return id;
  };
  return { server, post };
}

test('lists every page, employer, and published review once, with days', async () => {
  const { server, post } = await buildSite();
  const admin = await signedInAdmin(server);
  const write = (url: string, payload: object) =>
    server.app.inject({ method: 'POST', url: `/api${url}`, headers: admin.headers, payload });
  const [one, other, merged] = [
    await newEmployer(server, { created_at: '2026-01-05T10:11:00Z' }),
    await newEmployer(server, { created_at: '2026-01-05T10:11:00Z' }),
    await newEmployer(server),
  ];
  const reviews = [
    await post(one, '2026-02-01T00:00:00Z'),
    await post(one, '2026-02-28T23:59:00Z'),
    await post(one, '2026-03-01T00:00:00Z'),
  ];
  const removed = await post(one, '2026-03-01T00:01:00Z');
  await write(`/admin/reviews/${removed}/remove/`, { reason: 'Not a review' });
  await write(`/admin/employers/${merged}/merge/`, { into: other });

  const { files, addresses, paths } = await loadSitemap(server);
  expect(files).toEqual([
    { loc: 'https://curbside.example/sitemaps/pages.xml', lastmod: '2026-03-01' },
    { loc: 'https://curbside.example/sitemaps/employers/1.xml', lastmod: '2026-03-01' },
    { loc: 'https://curbside.example/sitemaps/reviews/2026-03.xml', lastmod: '2026-03-01' },
    { loc: 'https://curbside.example/sitemaps/reviews/2026-02.xml', lastmod: '2026-02-28' },
  ]);
  expect(paths.toSorted()).toEqual(
    [
      ...INDEXED_PAGES.filter((page) => !isPattern(page)),
      `/employers/${one}`,
      `/employers/${other}`,
      ...reviews.map((id) => `/reviews/${id}`),
    ].toSorted(),
  );
  const dated = new Map(addresses.flat().map(({ loc, lastmod }) => [loc, lastmod]));
  expect(dated.get(`https://curbside.example/employers/${one}`)).toBe('2026-03-01');
  expect(dated.get(`https://curbside.example/employers/${other}`)).toBe('2026-01-05');
  expect(dated.get(`https://curbside.example/reviews/${reviews[1]}`)).toBe('2026-02-28');
  for (const day of dated.values()) if (day) expect(day).toMatch(DAY);
});

test('the reviews of a day are in the order of their random ids', async () => {
  const { server, post } = await buildSite();
  const employer = await newEmployer(server);
  const ids: string[] = [];
  for (let minute = 10; minute < 20; minute += 1) {
    ids.push(await post(employer, `2026-02-01T00:${minute}:00Z`));
  }
  const { urlset } = await loadXml(server, '/sitemaps/reviews/2026-02-01.xml');
  const listed = urlset.url.map(({ loc }: { loc: string }) => loc.split('/').at(-1));
  expect(listed).toEqual(ids.toSorted());
});

test('has one file per month for few reviews, and one per day for many', () => {
  const start = Date.UTC(2023, 0, 1);
  const days = Array.from({ length: 1400 }, (_, at) =>
    new Date(start + at * 86_400_000).toISOString().slice(0, 10),
  ).toReversed();
  const few = reviewFiles(days, 10_000);
  expect(few).toHaveLength(46);
  expect(few[0]).toEqual({ path: '/sitemaps/reviews/2026-10.xml', day: '2026-10-31' });
  const many = reviewFiles(days, 1_000_000);
  expect(many).toHaveLength(1400);
  expect(many[0]).toEqual({ path: '/sitemaps/reviews/2026-10-31.xml', day: '2026-10-31' });
});

test.each([
  ['/sitemaps/reviews/2026-13.xml', 404],
  ['/sitemaps/reviews/2026-02-30.xml', 404],
  ['/sitemaps/reviews/2026-01.xml', 404],
  ['/sitemaps/reviews/2026.xml', 400],
  ['/sitemaps/employers/1.xml', 404],
  ['/sitemaps/employers/0.xml', 400],
  ['/sitemap.xml?page=2', 400],
])('%s returns %i', async (url, status) => {
  const { server } = await buildSite();
  expect((await server.app.inject(url)).statusCode).toBe(status);
});

test('an empty site has a valid sitemap', async () => {
  const { server } = await buildSite();
  const { files } = await loadSitemap(server);
  expect(files).toEqual([{ loc: 'https://curbside.example/sitemaps/pages.xml' }]);
});

test('every indexed page exists', () => {
  expect(INDEXED_PAGES.filter((page) => !(page in PAGE_QUERIES))).toEqual([]);
});
