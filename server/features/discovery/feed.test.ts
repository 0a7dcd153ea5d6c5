import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Review } from '#contract/reviews.ts';
import { TOPICS } from '#server/cache/topics.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInAdmin, signedInDoctor } from '#server/testing/factories.ts';
import { loadXml } from './testing/parsed.ts';

interface Entry {
  id: string;
  title: string;
  published: string;
  updated: string;
  content: { '#text': string };
  link: { '@href': string }[];
}

async function buildSite() {
  const server = await buildTestApp({ config: { publicUrl: 'https://curbside.example' } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const send = async (
    method: 'POST' | 'PATCH',
    path: string,
    payload: object,
    { headers }: { headers: Record<string, string> },
  ) => {
    const url = `/api${path}`;
    const answer = await server.app.inject({ method, url, headers, payload });
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer;
  };
  const post = async (employer: number, fields: object = {}, createdAt?: string) => {
    const author = await signedInDoctor(server);
    const { id } = (
      await send('POST', '/reviews/', reviewOf(employer, fields), author)
    ).json<Review>();
    if (createdAt) {
      await sql`update reviews set created_at = ${createdAt} where id = ${id}`.execute(
        server.deps.db,
      );
      server.deps.cache.changed(TOPICS);
    }
    return { id, author };
  };
  const entriesOf = async (url: string): Promise<Entry[]> =>
    (await loadXml(server, url)).feed.entry ?? [];
  const idsIn = async (url: string) => (await entriesOf(url)).map(({ id }) => id);
  return { server, send, post, entriesOf, idsIn };
}

test("an employer's feed has what RFC 4287 requires, and days as dates", async () => {
  const { server, post } = await buildSite();
  const employer = await newEmployer(server, { name: 'MERCY HOSPITAL' });
  const { id } = await post(employer, {}, '2026-02-03T04:05:00Z');
  const { feed, type } = await loadXml(server, `/feeds/employers/${employer}`);
  expect(type).toBe('application/atom+xml; charset=utf-8');
  const self = `https://curbside.example/feeds/employers/${employer}`;
  expect(feed).toMatchObject({
    '@xmlns': 'http://www.w3.org/2005/Atom',
    id: self,
    title: 'Reviews of Mercy Hospital · Curbside',
    updated: '2026-02-03T00:00:00Z',
    link: [
      { '@rel': 'self', '@type': 'application/atom+xml', '@href': self },
      { '@rel': 'alternate', '@href': `https://curbside.example/employers/${employer}` },
    ],
    author: { name: expect.stringMatching(/./) },
    entry: [
      {
        id: `urn:uuid:${id}`,
        title: 'Hospitalist at Mercy Hospital: 4 of 5 stars',
        published: '2026-02-03T00:00:00Z',
        updated: '2026-02-03T00:00:00Z',
        link: [{ '@rel': 'alternate', '@href': `https://curbside.example/reviews/${id}` }],
        content: {
          '@type': 'text',
          '#text': 'Good colleagues, long nights.\n\nPros: Colleagues\n\nCons: Nights',
        },
      },
    ],
  });
});

test('an entry keeps its id when the review is edited and its employer renamed or merged', async () => {
  const { server, send, post, entriesOf, idsIn } = await buildSite();
  const admin = await signedInAdmin(server);
  const [employer, other] = [await newEmployer(server), await newEmployer(server)];
  const { id, author } = await post(employer);
  const before = await idsIn(`/feeds/employers/${employer}`);
  await send('PATCH', `/reviews/${id}/`, reviewOf(employer, { pros: 'Fewer nights' }), author);
  await send('PATCH', `/admin/employers/${employer}/`, { name: 'Renamed Hospital' }, admin);
  const [renamed] = await entriesOf(`/feeds/employers/${employer}`);
  expect(renamed?.title).toContain('Renamed Hospital');
  expect(renamed?.content['#text']).toContain('Fewer nights');
  await send('POST', `/admin/employers/${employer}/merge/`, { into: other }, admin);
  const moved = await server.app.inject(`/feeds/employers/${employer}`);
  expect([moved.statusCode, moved.headers.location]).toEqual([301, `/feeds/employers/${other}`]);
  const after = await idsIn(`/feeds/employers/${other}`);
  expect([before, [renamed?.id], after]).toEqual(Array(3).fill([`urn:uuid:${id}`]));
});

test("a search's feed has the same reviews as the list, newest first", async () => {
  const { server, post, idsIn } = await buildSite();
  const [here, there] = [
    await newEmployer(server, { state: 'TX' }),
    await newEmployer(server, { state: 'OH' }),
  ];
  const nights = { review_text: 'The nights are endless.' };
  await post(here, nights, '2026-02-01T01:00:00Z');
  await post(here, { ...nights, overall_rating: 2 }, '2026-02-02T01:00:00Z');
  await post(here, nights, '2026-02-03T01:00:00Z');
  await post(there, nights, '2026-02-04T01:00:00Z');
  const query = 'min_rating=3&search=nights&state=TX';
  const list = await server.app.inject(`/api/reviews/?${query}&ordering=-created_at`);
  const listed = list.json<{ results: Review[] }>().results.map(({ id }) => `urn:uuid:${id}`);
  expect(listed).toHaveLength(2);
  expect(await idsIn(`/feeds/reviews?${query}`)).toEqual(listed);
  // Whatever the order of the parameters.
  const { feed } = await loadXml(server, '/feeds/reviews?state=TX&search=nights&min_rating=3');
  const same = await loadXml(server, `/feeds/reviews?${query}`);
  expect(feed.id).toBe(same.feed.id);
  expect(feed.title).toBe('Reviews: nights, TX · Curbside');
  for (const url of ['/feeds/reviews?page=2', '/feeds/reviews?ordering=created_at']) {
    expect((await server.app.inject(url)).statusCode, url).toBe(400);
  }
});

test('the reviews of a day are in the order of their random ids', async () => {
  const { server, post, idsIn } = await buildSite();
  const employer = await newEmployer(server);
  for (let minute = 10; minute < 18; minute += 1) {
    await post(employer, {}, `2026-02-01T00:${minute}:00Z`);
  }
  const ids = await idsIn('/feeds/reviews');
  expect(ids).toHaveLength(8);
  expect(ids).toEqual(ids.toSorted());
});

test('text that looks like XML stays text', async () => {
  const { server, post, entriesOf } = await buildSite();
  const employer = await newEmployer(server, { name: 'A & B <Hospital>' });
  const review_text = `]]> </content><entry> & "quoted" 'too' \u0001\ufffe😀`;
  await post(employer, { review_text, pros: '', cons: '' });
  const [entry, ...others] = await entriesOf('/feeds/reviews');
  expect(others).toEqual([]);
  expect(entry?.content['#text']).toBe(`]]> </content><entry> & "quoted" 'too' 😀`);
  const { feed } = await loadXml(server, `/feeds/employers/${employer}`);
  expect(feed.title).toBe('Reviews of A & B <Hospital> · Curbside');
});

test('a feed without reviews is valid, and an unknown employer has none', async () => {
  const { server } = await buildSite();
  const employer = await newEmployer(server);
  const { feed } = await loadXml(server, `/feeds/employers/${employer}`);
  expect([feed.updated, feed.entry]).toEqual(['1970-01-01T00:00:00Z', undefined]);
  expect((await server.app.inject(`/feeds/employers/${employer + 1}`)).statusCode).toBe(404);
  expect((await server.app.inject('/feeds/reviews')).headers['x-robots-tag']).toBe('noindex');
});
