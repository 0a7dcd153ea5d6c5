import { XMLParser } from 'fast-xml-parser';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Employer } from '#contract/employers/employers.ts';
import { PageHead } from './page-head.tsx';

const SITE = 'https://curbside.example';
const EMPLOYER = {
  ...{ id: 7, name: 'MERCY </SCRIPT> HOSPITAL', employer_type: 'clinic' },
  ...{ address: null, city: 'BOSTON', state: 'MA', zip: null, phone: null },
  ...{ website: 'https://mercy.example', total_reviews: 12, overall_rating: 4.25 },
} as Employer;

/** What PageHead needs from a rendered page. */
interface Page {
  url: string;
  path: string | undefined;
  loaded?: unknown;
  statusCode?: number;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  stopNodes: ['head.script'],
  isArray: (name) => ['meta', 'link', 'script'].includes(name),
});

type Attributes = Record<string, string>;

function headOf({ url, path, loaded, statusCode = 200 }: Page) {
  const rendered = {
    statusCode,
    matches: [{ route: { id: 'layout' } }, { route: { id: 'leaf', path } }],
    loaderData: { leaf: loaded },
  };
  const element = createElement(PageHead, { rendered: rendered as never, url: SITE + url });
  const { head } = parser.parse(`<head>${renderToStaticMarkup(element)}</head>`);
  const metas: Attributes[] = head.meta ?? [];
  const links: Attributes[] = head.link ?? [];
  const scripts: Attributes[] = head.script ?? [];
  return {
    meta: Object.fromEntries(
      metas.map(({ name, property, content: is }) => [name ?? property, is]),
    ),
    canonical: links.flatMap(({ rel, href }) => (rel === 'canonical' ? [href] : [])),
    feed: links.find(({ rel }) => rel === 'alternate')?.['href'],
    facts: scripts.map((script) => JSON.parse(script['#text'] ?? '')),
  };
}

const employerPage = (url: string, change: Partial<Employer> = {}): Page => ({
  url,
  path: 'employers/:employerId',
  loaded: { employer: { ...EMPLOYER, ...change }, page: 1, criteria: {} },
});

test.each<[Page, string]>([
  [{ url: '/', path: undefined }, '/'],
  [{ url: '/employers', path: 'employers' }, '/employers'],
  [{ url: '/reviews', path: 'reviews' }, '/reviews'],
  [{ url: '/privacy-policy', path: 'privacy-policy' }, '/privacy-policy'],
  [employerPage('/employers/7'), '/employers/7'],
])('a page without a query can be indexed under its own URL: %j', (page, path) => {
  const { meta, canonical } = headOf(page);
  expect(meta['robots']).toBeUndefined();
  expect(canonical).toEqual([SITE + path]);
  const image = { 'og:image:width': '1200', 'og:image:height': '630' };
  const card = { 'twitter:card': 'summary_large_image' };
  expect(meta).toMatchObject({ 'og:url': SITE + path, ...image, ...card });
});

test.each<Page>([
  { url: '/reviews?state=TX', path: 'reviews' },
  { url: '/reviews?page=2', path: 'reviews' },
  { url: '/employers?search=mercy', path: 'employers' },
  { url: '/compare?ids=1%2C2', path: 'compare' },
  employerPage('/employers/7?position_title=Hospitalist'),
])('a page with a query can be shared, but is noindex: %j', (page) => {
  const { meta, canonical, facts } = headOf(page);
  expect(meta['robots']).toBe('noindex');
  expect(canonical).toEqual([SITE + page.url]);
  expect(meta['og:image']).toBeDefined();
  expect(facts).toEqual([]);
});

test.each<Page>([
  { url: '/dashboard', path: 'dashboard' },
  { url: '/password-reset', path: 'password-reset' },
  { url: '/nothing', path: '*', statusCode: 404 },
  { url: '/employers/8', path: 'employers/:employerId', statusCode: 404 },
  { url: '/reviews', path: 'reviews', statusCode: 503 },
])('the head of a personal or failed page contains only noindex: %j', (page) => {
  const { meta, ...rest } = headOf(page);
  expect(meta).toEqual({ robots: 'noindex' });
  expect(rest).toEqual({ canonical: [], feed: undefined, facts: [] });
});

test('a list links to the feed for its search and filters', () => {
  const url = '/reviews?search=nights&state=TX&ordering=created_at&page=2&refreshFilters=true';
  const feed = `${SITE}/feeds/reviews?search=nights&state=TX`;
  expect(headOf({ url, path: 'reviews' }).feed).toBe(feed);
  expect(headOf({ url: '/reviews', path: 'reviews' }).feed).toBe(`${SITE}/feeds/reviews`);
  expect(headOf({ url: '/employers', path: 'employers' }).feed).toBeUndefined();
});

test('an employer has a feed and structured data', () => {
  const { feed, facts } = headOf(employerPage('/employers/7'));
  expect(feed).toBe(`${SITE}/feeds/employers/7`);
  const [name, item] = ['Mercy </Script> Hospital', `${SITE}/employers/7`];
  const place = { addressLocality: 'BOSTON', addressRegion: 'MA', addressCountry: 'US' };
  const address = { '@type': 'PostalAddress', ...place };
  const clinic = { '@type': 'MedicalClinic', '@id': item, name, address };
  expect(facts).toEqual([
    {
      ...{ '@context': 'https://schema.org', '@type': 'EmployerAggregateRating' },
      itemReviewed: { ...clinic, url: 'https://mercy.example' },
      ...{ ratingValue: 4.25, ratingCount: 12, bestRating: 5, worstRating: 1 },
    },
    {
      ...{ '@context': 'https://schema.org', '@type': 'BreadcrumbList' },
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Employers', item: `${SITE}/employers` },
        { '@type': 'ListItem', position: 2, name, item },
      ],
    },
  ]);
});

test('an employer without reviews has no rating', () => {
  const none = employerPage('/employers/7', { total_reviews: 0, overall_rating: null });
  const [organization] = headOf(none).facts;
  expect(organization).toMatchObject({ '@type': 'MedicalClinic', '@id': `${SITE}/employers/7` });
  expect(organization).not.toHaveProperty('ratingValue');
});

test('a review has breadcrumbs', () => {
  const url = '/reviews/0c8b3a52-3a39-4f0e-9d5d-2f6f1a0c7b11';
  const loaded = { employer: { id: 7, name: 'MERCY HOSPITAL', city: null, state: null } };
  const { facts } = headOf({ url, path: 'reviews/:reviewId', loaded });
  expect(facts).toMatchObject([{ '@type': 'BreadcrumbList' }]);
  const items = facts[0].itemListElement.map(({ item }: { item: string }) => item);
  expect(items).toEqual([`${SITE}/employers`, `${SITE}/employers/7`, SITE + url]);
});

test('the landing page says who runs the site', () => {
  const organization = { '@context': 'https://schema.org', '@type': 'Organization' };
  const curbside = { name: 'Curbside', url: `${SITE}/`, logo: `${SITE}/icon-512.png` };
  const { facts } = headOf({ url: '/', path: undefined });
  expect(facts).toEqual([{ ...organization, ...curbside }]);
});
