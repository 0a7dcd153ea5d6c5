import type { IncomingMessage } from 'node:http';
import findMyWay from 'find-my-way';
import { PAGE_QUERIES, UNSUBSCRIBE_PATH } from '#contract/page-queries.ts';

/** The suffix of React Router data requests. */
const DATA = /(?:\/_)?\.data$/;
/** Not an id, as in "/reviews//": the canonical form would be the URL of another page. */
const NO_ID = /^_?$|\.data$/;
/** Unreserved characters, which need no encoding (RFC 3986, section 6.2.2.2). */
const UNRESERVED = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;

const pages = findMyWay({ caseSensitive: false, ignoreTrailingSlash: true });
for (const path of Object.keys(PAGE_QUERIES)) pages.on('GET', path, () => {}, path);

/** A request target in absolute form, as sent to proxies (RFC 9112, section 3.2.2). */
const isAbsolute = (target: string) => /^https?:\/\//i.test(target);

const withSearch = (path: string, search: URLSearchParams) =>
  search.size > 0 ? `${path}?${search}` : path;

/**
 * Normalizes a request target to a path with sorted parameters and one encoding. Pages keep only
 * the parameters they know. Routes and the cache see only canonical URLs.
 */
export function canonicalUrl(target: string): string {
  if (!target.startsWith('/') && !isAbsolute(target)) return target;
  const url = URL.parse(isAbsolute(target) ? target : `http://localhost${target}`);
  if (url === null) return target;
  const { pathname, search, searchParams } = url;
  if (!/^\/(?:api|feeds)\//.test(pathname)) return canonicalPage(url) ?? pathname + search;
  searchParams.sort();
  return withSearch(pathname.replace(UNRESERVED, decodeURIComponent), searchParams);
}

/** Null if it is not a page. */
function canonicalPage({ pathname, searchParams }: URL): string | null {
  const suffix = DATA.exec(pathname)?.[0] ?? '';
  const path = pathname.slice(0, pathname.length - suffix.length) || '/';
  const found = pages.find('GET', path);
  const pattern: unknown = found?.store;
  if (!found || typeof pattern !== 'string') return null;
  if (Object.values(found.params).some((value) => NO_ID.test(value ?? ''))) return null;
  const canonical = pattern.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(found.params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, normalize] of Object.entries(PAGE_QUERIES[pattern] ?? {})) {
    const value = normalize(searchParams.getAll(name));
    if (value) search.set(name, value);
  }
  if (suffix === '') return withSearch(canonical, search);
  return withSearch(canonical === '/' ? '/_.data' : `${canonical}.data`, search);
}

/** For Fastify. The host of an absolute target replaces the `Host` header. */
export function routableUrl({
  url = '',
  headers,
  method,
}: Pick<IncomingMessage, 'url' | 'headers' | 'method'>) {
  if (isAbsolute(url)) headers.host = URL.parse(url)?.host ?? headers.host;
  // Nothing is cached here, and the link in a mail keeps its token.
  if (method === 'POST' && url.startsWith(`${UNSUBSCRIBE_PATH}?`)) return url;
  return canonicalUrl(url);
}
