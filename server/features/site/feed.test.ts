import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { emptyStates } from '#server/features/employers/testing/empty-states.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, expect, type Site, test as siteTest } from '#server/testing/site.ts';
import { loadXml } from './testing/parsed.ts';

type Entry = Record<'id' | 'title', string> & { content: { '#text': string } };

const entriesOf = async (site: Site, url: string): Promise<Entry[]> =>
  (await loadXml(site, url)).feed.entry ?? [];
const idsIn = async (site: Site, url: string) => (await entriesOf(site, url)).map(({ id }) => id);

/** States without other employers, so that their feeds have only the reviews of a test. */
const test = siteTest.extend('states', ({ site }) => emptyStates(site));

test("an employer's feed has what RFC 4287 requires, and days as dates", async ({ site }) => {
  const { publicUrl } = site.deps.config;
  const employer = await site.employer({ name: 'MERCY HOSPITAL' });
  site.time.now = new Date('2026-02-03T04:05:00Z');
  const { id } = await site.review({ at: employer });
  const { feed, type } = await loadXml(site, `/feeds/employers/${employer}`);
  expect(type).toBe('application/atom+xml; charset=utf-8');
  const self = `${publicUrl}/feeds/employers/${employer}`;
  expect(feed).toMatchObject({
    '@xmlns': 'http://www.w3.org/2005/Atom',
    id: self,
    title: 'Reviews of Mercy Hospital · Curbside',
    updated: '2026-02-03T00:00:00Z',
    link: [
      { '@rel': 'self', '@type': 'application/atom+xml', '@href': self },
      { '@rel': 'alternate', '@href': `${publicUrl}/employers/${employer}` },
    ],
    author: { name: expect.stringMatching(/./) },
  });
  const text = 'Good colleagues, long nights.\n\nPros: Colleagues\n\nCons: Nights';
  expect(feed.entry).toMatchObject([
    {
      ...{ id: `urn:uuid:${id}`, title: 'Hospitalist at Mercy Hospital: 4 of 5 stars' },
      ...{ published: '2026-02-03T00:00:00Z', updated: '2026-02-03T00:00:00Z' },
      link: [{ '@rel': 'alternate', '@href': `${publicUrl}/reviews/${id}` }],
      content: { '@type': 'text', '#text': text },
    },
  ]);
});

test('an entry keeps its id through edits, renamings, and merges', async ({ site }) => {
  const [author, admin] = [await site.doctor(), site.as(await site.admin())];
  const [employer, other] = [await site.employer(), await site.employer()];
  const { id } = await site.review({ by: author, at: employer });
  const before = await idsIn(site, `/feeds/employers/${employer}`);
  const edit = reviewOf(employer, { pros: 'Fewer nights' });
  await site.as(author).patch(reviewEndpoints.edit, edit, at(id));
  await admin.patch(employerEndpoints.curate, { name: 'Renamed Hospital' }, at(employer));
  const [renamed] = await entriesOf(site, `/feeds/employers/${employer}`);
  expect(renamed?.title).toContain('Renamed Hospital');
  expect(renamed?.content['#text']).toContain('Fewer nights');
  await admin.post(employerEndpoints.merge, { into: other }, at(employer));
  const moved = await site.app.inject(`/feeds/employers/${employer}`);
  expect([moved.statusCode, moved.headers.location]).toEqual([301, `/feeds/employers/${other}`]);
  const after = await idsIn(site, `/feeds/employers/${other}`);
  expect([before, [renamed?.id], after]).toEqual(Array(3).fill([`urn:uuid:${id}`]));
});

test("a search's feed is the list, newest first", async ({ site, states: [state, otherState] }) => {
  const here = await site.employer({ state });
  const there = await site.employer({ state: otherState });
  const review_text = 'The nights are endless.';
  for (const [day, stars] of [4, 2, 4, 4].entries()) {
    site.time.now = new Date(Date.UTC(2026, 1, day + 1, 1));
    const employer = day < 3 ? here : there;
    await site.review({ at: employer, review_text, overall_rating: stars });
  }
  const criteria = { min_rating: 3, search: 'nights', state, ordering: '-created_at' };
  const list = await site.visitor().get(reviewEndpoints.list, { query: criteria });
  const listed = list.body.results.map(({ id }) => `urn:uuid:${id}`);
  expect(listed).toHaveLength(2);
  const url = `/feeds/reviews?min_rating=3&search=nights&state=${state}`;
  expect(await idsIn(site, url)).toEqual(listed);
  // Whatever the order of the parameters.
  const reordered = `/feeds/reviews?state=${state}&search=nights&min_rating=3`;
  const { feed } = await loadXml(site, reordered);
  expect(feed.id).toBe((await loadXml(site, url)).feed.id);
  expect(feed.title).toBe(`Reviews: nights, ${state} · Curbside`);
  for (const wrong of ['/feeds/reviews?page=2', '/feeds/reviews?ordering=created_at']) {
    expect((await site.app.inject(wrong)).statusCode, wrong).toBe(400);
  }
});

test('the reviews of a day are in order of random ids', async ({ site, states: [state] }) => {
  const employer = await site.employer({ state });
  for (let minute = 10; minute < 18; minute += 1) {
    site.time.now = new Date(`2026-02-01T00:${minute}:00Z`);
    await site.review({ at: employer });
  }
  const ids = await idsIn(site, `/feeds/reviews?state=${state}`);
  expect(ids).toHaveLength(8);
  expect(ids).toEqual(ids.toSorted());
});

test('text that looks like XML stays text', async ({ site, states: [state] }) => {
  const employer = await site.employer({ name: 'A & B <Hospital>', state });
  const review_text = `]]> </content><entry> & "quoted" 'too' \u0001\ufffe😀`;
  await site.review({ at: employer, review_text, pros: '', cons: '' });
  const [entry, ...others] = await entriesOf(site, `/feeds/reviews?state=${state}`);
  expect(others).toEqual([]);
  expect(entry?.content['#text']).toBe(`]]> </content><entry> & "quoted" 'too' 😀`);
  const { feed } = await loadXml(site, `/feeds/employers/${employer}`);
  expect(feed.title).toBe('Reviews of A & B <Hospital> · Curbside');
});

test('a feed without reviews is valid, and an unknown employer has none', async ({ site }) => {
  const { feed } = await loadXml(site, `/feeds/employers/${await site.employer()}`);
  expect([feed.updated, feed.entry]).toEqual(['1970-01-01T00:00:00Z', undefined]);
  expect((await site.app.inject('/feeds/employers/999999')).statusCode).toBe(404);
  expect((await site.app.inject('/feeds/reviews')).headers['x-robots-tag']).toBe('noindex');
});
