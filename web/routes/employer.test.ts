import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { apiContext } from '#web/lib/render-context.ts';
import { loader } from './employer.tsx';

const EMPLOYER = { id: 7, name: 'X' };

/** Loads `/employers/{id}` from an API with these responses, by path. */
function load(employerId: string, answers: Record<string, Response>) {
  const context = new RouterContextProvider();
  context.set(apiContext, async (path) => answers[path] ?? new Response('{}', { status: 500 }));
  const url = new URL(`https://curbside.example/employers/${employerId}?ordering=created_at`);
  const route = { params: { employerId }, pattern: '/employers/:employerId' } as const;
  return loader({ context, request: new Request(url), url, ...route });
}

test('loads the employer and its insights in one call', async () => {
  const specialties = [{ specialty: 'Neurology', count: 3 }];
  const brief = Response.json({ employer: EMPLOYER, total_reviews: 3, specialties });
  const page = await load('7', { '/api/employers/7/insights/': brief });
  const insights = { total_reviews: 3, specialties: { Neurology: 3 } };
  expect(page).toMatchObject({ employer: EMPLOYER, insights });
});

test('loads the employer even if everything else failed', async () => {
  const page = await load('7', { '/api/employers/7/': Response.json(EMPLOYER) });
  const reviews = { pages: [], failure: 'Failed to load reviews: Unknown error' };
  expect(page).toMatchObject({ employer: EMPLOYER, insights: null, reviews });
});

test('says why the reviews could not be loaded', async () => {
  const detail = 'Search must be at most 200 characters';
  const list = '/api/employers/7/reviews/?ordering=created_at&page=1&page_size=10';
  const { reviews } = await load('7', {
    '/api/employers/7/': Response.json(EMPLOYER),
    [list]: Response.json({ detail }, { status: 400 }),
  });
  expect(reviews.failure).toBe(`Failed to load reviews: ${detail}`);
});

test('a merged employer redirects permanently, with the filters', async () => {
  const moved = Response.json({ merged_into: 9 }, { status: 301 });
  const answers = { '/api/employers/7/insights/': moved };
  const thrown = await load('7', answers).catch((error) => error);
  expect(thrown).toBeInstanceOf(Response);
  expect(thrown.status).toBe(301);
  expect(thrown.headers.get('location')).toBe('/employers/9?ordering=created_at');
});

const STATUSES = { abc: 200, '-1': 200, '99999999999': 400, '8': 404 };
test.each(Object.entries(STATUSES))('/employers/%s is not found', async (id, status) => {
  const answer = Response.json({ ...EMPLOYER, detail: '' }, { status });
  const answers = { [`/api/employers/${id}/insights/`]: answer };
  const thrown = await load(id, answers).catch((error) => error);
  expect(thrown.init.status).toBe(404);
});
