import type { Page } from '@playwright/test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { titleCase } from '#contract/names.ts';
import { INDEXED_PAGES } from '#contract/site/discovery.ts';
import { paths } from '#web/lib/paths.ts';
import { extremes } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

/** The head of the current page, or of a page as the server sends it. */
const headOf = (page: Page, html?: string) =>
  page.evaluate((source) => {
    const { head } = source ? new DOMParser().parseFromString(source, 'text/html') : document;
    const all = (selector: string, attribute: string) =>
      [...head.querySelectorAll(selector)].map((element) => element.getAttribute(attribute) ?? '');
    return {
      titles: [...head.querySelectorAll('title')].map(({ textContent }) => textContent),
      descriptions: all('meta[name=description]', 'content'),
      canonical: all('link[rel=canonical]', 'href'),
      robots: all('meta[name=robots]', 'content'),
      images: all('meta[property="og:image"]', 'content'),
      feeds: all('link[rel=alternate][type="application/atom+xml"]', 'href'),
    };
  }, html);

test('every indexed page has one unique title and description', async ({ page, server }) => {
  const { most, none } = await extremes(server);
  const list = await (await page.request.get('/api/reviews/')).json();
  const pages = [
    ...INDEXED_PAGES.filter((path) => !path.includes(':')),
    paths.employer(most.id),
    paths.employer(none.id),
    paths.review(list.results[0].id),
    paths.review(list.results[1].id),
  ];
  const [titles, descriptions] = [new Set<string>(), new Set<string>()];
  await page.goto('/robots.txt');
  for (const path of pages) {
    const head = await headOf(page, await (await page.request.get(path)).text());
    expect(head, path).toMatchObject({ canonical: [server.url + path], robots: [] });
    const counts = [head.titles.length, head.descriptions.length, head.images.length];
    expect(counts, path).toEqual([1, 1, 1]);
    expect(head.descriptions[0]?.length, path).toBeGreaterThan(30);
    titles.add(head.titles[0] ?? '');
    descriptions.add(head.descriptions[0] ?? '');
  }
  expect([titles.size, descriptions.size]).toEqual([pages.length, pages.length]);
});

test("an employer's image, feed, and data disappear on navigation", async ({ page, server }) => {
  const { most } = await extremes(server);
  await openLive(page, paths.employer(most.id));
  const { titles, descriptions, canonical, images, feeds } = await headOf(page);
  expect([titles.length, descriptions.length, canonical.length]).toEqual([1, 1, 1]);
  const facts = await page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((scripts) => scripts.map(({ textContent }) => JSON.parse(textContent ?? '')));
  expect(facts.map((fact) => fact['@type'])).toEqual(['EmployerAggregateRating', 'BreadcrumbList']);
  const feed = await (await page.request.get(feeds[0] ?? '')).text();
  expect(XMLValidator.validate(feed)).toBe(true);
  const { entry } = new XMLParser().parse(feed).feed;
  expect(entry.length).toBe(Math.min(20, most.total_reviews));

  const size = await page.evaluate(
    async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    },
    new URL(images[0] ?? '').pathname,
  );
  expect(size).toEqual([1200, 630]);

  await page.getByRole('link', { name: 'Curbside' }).first().click();
  await expect(page).toHaveURL(server.url);
  await expect(page.locator('[data-page-head]')).toHaveCount(0);
  await expect(page.locator('link[rel=manifest]')).toHaveCount(1);
  await expect(page.locator('meta[name=description]')).toHaveCount(1);
  await expect(page.locator(`head:has-text("${titleCase(most.name)}")`)).toHaveCount(0);
});

test('the icons, the manifest, and the image for other sites load', async ({ page, request }) => {
  await page.goto(paths.home(), { waitUntil: 'domcontentloaded' });
  const links = await page
    .locator('link[rel~=icon], link[rel=apple-touch-icon], link[rel=manifest]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(links).toHaveLength(4);
  const manifest = await (await request.get('/manifest.webmanifest')).json();
  const icons = manifest.icons.map(({ src }: { src: string }) => src);
  const image = (await request.get('/preview.png')).headers();
  expect(image['cross-origin-resource-policy']).toBe('cross-origin');
  for (const url of [...links, ...icons, '/preview.png']) {
    const answer = await request.get(url);
    expect(answer.status(), url).toBe(200);
    expect(answer.headers()['content-type'], url).toMatch(/^image\/|^application\/manifest\+json/);
  }
});
