import { RouterContextProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { EmployerQuery } from '#contract/employers/employers.ts';
import { PAGE_QUERIES } from '#contract/page-queries.ts';
import { EmployerReviewsQuery, ReviewQuery } from '#contract/reviews/review-queries.ts';
import { readAfterSignIn } from './lib/after-sign-in.ts';
import { apiContext } from './lib/render-context.ts';
import routes from './routes.ts';

interface RouteEntry {
  path?: string;
  index?: boolean;
  children?: RouteEntry[];
}

const pathsOf = ({ path, index, children = [] }: RouteEntry): string[] => [
  ...(index ? ['/'] : []),
  ...(path !== undefined && path !== '*' ? [`/${path}`] : []),
  ...children.flatMap(pathsOf),
];

afterEach(() => void vi.restoreAllMocks());

/** The names of the parameters that a function reads. */
async function readBy(read: () => unknown): Promise<string[]> {
  const names = new Set<string>();
  for (const method of ['get', 'getAll', 'has'] as const) {
    const original = URLSearchParams.prototype[method] as (name: string) => never;
    const noting = function (this: URLSearchParams, name: string) {
      names.add(name);
      return original.call(this, name);
    };
    vi.spyOn(URLSearchParams.prototype, method).mockImplementation(noting);
  }
  await read();
  vi.restoreAllMocks();
  return [...names].sort();
}

const known = (path: string) => Object.keys(PAGE_QUERIES[path] ?? {}).sort();

test('the table has every route and no other page', () => {
  const paths = (routes as RouteEntry[]).flatMap(pathsOf).sort();
  expect(Object.keys(PAGE_QUERIES).sort()).toEqual(paths);
});

test.each([
  ['/employers', () => import('./routes/employers.tsx')],
  ['/employers/:employerId', () => import('./routes/employer.tsx')],
  ['/compare', () => import('./routes/compare.tsx')],
  ['/reviews', () => import('./routes/reviews.tsx')],
  ['/reviews/:reviewId', () => import('./routes/review.tsx')],
])('%s lists the parameters that its loader reads', async (path, load) => {
  const { loader } = (await load()) as unknown as { loader: (args: object) => Promise<unknown> };
  const context = new RouterContextProvider();
  context.set(apiContext, async () => Response.json({ results: [], specialties: [] }));
  const params = { employerId: '7', reviewId: 'e1fc8c2c-0d2c-4e9b-a6ba-2f6a5f7d3f70' };
  const request = new Request(`http://localhost${path}`);
  expect(await readBy(() => loader({ context, params, request }))).toEqual(known(path));
});

test('the sign-in screens list the parameters that they pass on', async () => {
  const carried = await readBy(() => readAfterSignIn(new URLSearchParams()));
  expect(known('/signup')).toEqual(carried);
  expect(known('/register')).toEqual(carried);
  expect(known('/login')).toEqual([...carried, 'expired'].sort());
});

test('lists accept all parameters of the API except the page size', () => {
  const fieldsOf = ({ def }: { def: { shape: object } }) =>
    Object.keys(def.shape).filter((name) => name !== 'page_size');
  expect(known('/employers')).toEqual(fieldsOf(EmployerQuery).sort());
  expect(known('/employers/:employerId')).toEqual(fieldsOf(EmployerReviewsQuery).sort());
  expect(known('/reviews')).toEqual([...fieldsOf(ReviewQuery), 'refreshFilters'].sort());
});
