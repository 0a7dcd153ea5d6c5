import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { PAGE_QUERIES } from '#contract/page-queries.ts';
import { INDEXED_PAGES } from '#contract/site/discovery.ts';
import { expect, newSite, test } from '#server/testing/site.ts';
import { reviewFiles } from './routes.ts';
import { loadSitemap, loadXml } from './testing/parsed.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

test('an empty site has a valid sitemap, and later it lists every page, employer, and published review once, with days', async () => {
  const site = await newSite({ config: { publicUrl: 'https://curbside.example' } });
  const pages = { loc: 'https://curbside.example/sitemaps/pages.xml' };
  expect((await loadSitemap(site)).files).toEqual([pages]);

  const created_at = '2026-01-05T10:11:00Z';
  const [one, other] = [await site.employer({ created_at }), await site.employer({ created_at })];
  const merged = await site.employer();
  const ids: string[] = [];
  for (const time of ['02-01T00:00', '02-28T23:59', '03-01T00:00', '03-01T00:01']) {
    site.time.now = new Date(`2026-${time}:00Z`);
    ids.push((await site.review({ at: one })).id);
  }
  const [, second, , removed = ''] = ids;
  const admin = site.as(await site.admin());
  const reason = 'Not a review';
  await admin.post(moderationEndpoints.remove, { reason }, { params: { id: removed } });
  await admin.post(employerEndpoints.merge, { into: other }, { params: { id: merged } });

  const { files, addresses, paths } = await loadSitemap(site);
  expect(files).toEqual([
    { ...pages, lastmod: '2026-03-01' },
    { loc: 'https://curbside.example/sitemaps/employers/1.xml', lastmod: '2026-03-01' },
    { loc: 'https://curbside.example/sitemaps/reviews/2026-03.xml', lastmod: '2026-03-01' },
    { loc: 'https://curbside.example/sitemaps/reviews/2026-02.xml', lastmod: '2026-02-28' },
  ]);
  const listed = [
    ...['/', '/employers', '/compare', '/reviews', '/how-it-works', '/guidelines'],
    ...['/transparency', '/terms-of-use', '/privacy-policy'],
    ...[`/employers/${one}`, `/employers/${other}`],
    ...ids.slice(0, 3).map((id) => `/reviews/${id}`),
  ];
  expect(paths.toSorted()).toEqual(listed.toSorted());
  const dated = new Map(addresses.flat().map(({ loc, lastmod }) => [loc, lastmod]));
  expect(dated.get(`https://curbside.example/employers/${one}`)).toBe('2026-03-01');
  expect(dated.get(`https://curbside.example/employers/${other}`)).toBe('2026-01-05');
  expect(dated.get(`https://curbside.example/reviews/${second}`)).toBe('2026-02-28');
  for (const day of dated.values()) if (day) expect(day).toMatch(DAY);
});

test('the reviews of a day are in the order of their random ids', async ({ site }) => {
  const at = await site.employer();
  const ids: string[] = [];
  // No other test writes reviews on this day.
  for (let minute = 10; minute < 20; minute += 1) {
    site.time.now = new Date(`2023-05-07T00:${minute}:00Z`);
    ids.push((await site.review({ at })).id);
  }
  const { urlset } = await loadXml(site, '/sitemaps/reviews/2023-05-07.xml');
  const listed = urlset.url.map(({ loc }: { loc: string }) => loc.split('/').at(-1));
  expect(listed).toEqual(ids.toSorted());
});

test('has one file per month for few reviews, and one per day for many', () => {
  const start = Date.UTC(2023, 0, 1);
  const dayAt = (at: number) => new Date(start + at * 86_400_000).toISOString().slice(0, 10);
  const days = Array.from({ length: 1400 }, (_, at) => dayAt(1399 - at));
  const few = reviewFiles(days, 10_000);
  expect(few).toHaveLength(46);
  expect(few[0]).toEqual({ path: '/sitemaps/reviews/2026-10.xml', day: '2026-10-31' });
  const many = reviewFiles(days, 1_000_000);
  expect(many).toHaveLength(1400);
  expect(many[0]).toEqual({ path: '/sitemaps/reviews/2026-10-31.xml', day: '2026-10-31' });
});

test.for([
  ['/sitemaps/reviews/2026-13.xml', 404],
  ['/sitemaps/reviews/2026-02-30.xml', 404],
  // Nobody wrote a review in this month.
  ['/sitemaps/reviews/1999-01.xml', 404],
  ['/sitemaps/reviews/2026.xml', 400],
  // Days that PostgreSQL does not have.
  ['/sitemaps/reviews/0000-01.xml', 400],
  ['/sitemaps/reviews/9999-12-31.xml', 400],
  ['/sitemaps/employers/999.xml', 404],
  ['/sitemaps/employers/2147483647.xml', 404],
  ['/sitemaps/employers/0.xml', 400],
  ['/sitemap.xml?page=2', 400],
] as const)('%s returns %i', async ([url, status], { site }) => {
  expect((await site.app.inject(url)).statusCode).toBe(status);
});

test('every indexed page exists', () => {
  expect(INDEXED_PAGES.filter((page) => !(page in PAGE_QUERIES))).toEqual([]);
});
