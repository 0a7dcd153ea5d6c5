import fc from 'fast-check';
import { BuildMissing, productionBuild } from '#server/pages/pages.ts';
import { oddHeaders } from './odd-headers.ts';
import { type Exchange, type FuzzRequest, queryText } from './requests.ts';
import { ROLES } from './roles.ts';
import { texts } from './texts.ts';

/** The URL pattern of every page in the production build; empty if nothing was built. */
export async function pagePatterns(): Promise<string[]> {
  try {
    const { routes } = await productionBuild.load();
    const pathOf = (id: string | undefined): string => {
      const route = id === undefined ? undefined : routes[id];
      return route ? `${pathOf(route.parentId)}/${route.path ?? ''}` : '';
    };
    const paths = Object.keys(routes).map((id) => pathOf(id).replace(/\/+/g, '/'));
    return [...new Set(paths)].map((path) => path.replace(/(?<=.)\/$/, ''));
  } catch (error) {
    if (error instanceof BuildMissing) return [];
    throw error;
  }
}

const DOCS = ['/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/static/index.html'];
const FILES = [
  '/robots.txt',
  '/sitemap.xml',
  '/sitemaps/employers/1.xml',
  '/feeds/reviews',
  '/feeds/employers/{{employer:1}}',
];
const PLAIN_PATHS = [...DOCS, ...FILES, '/healthz', '/readyz', '/favicon.ico'];

const PARAMETER_NAMES = [
  'search',
  'page',
  'ordering',
  'state',
  'city',
  'token',
  'uidb64',
  'ids',
  'x',
];

/** Requests for pages and files with odd parameters and headers. */
export function pageRequests(pages: readonly string[]): fc.Arbitrary<Exchange> {
  const path = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...pages),
        fc.oneof(fc.constantFrom('{{employer:1}}', '{{review:1}}', '0', '%', 'x')),
      )
      .map(([page, id]) => page.replace(/:\w+/, id).replace('*', id)),
    fc.constantFrom(...PLAIN_PATHS),
  );
  const query = fc.array(fc.tuple(fc.constantFrom(...PARAMETER_NAMES), texts(300)), {
    maxLength: 4,
  });
  return fc
    .record({
      role: fc.constantFrom(...ROLES),
      method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
      path,
      query,
      headers: fc.oneof(fc.constant({}), oddHeaders),
    })
    .map(({ role, method, path: url, query: pairs, headers }): FuzzRequest[] => {
      const text = queryText(pairs);
      return [{ role, method, url: text ? `${url}?${text}` : url, headers, body: null }];
    });
}
